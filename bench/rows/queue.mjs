// `npm run bench -- queue`: what it costs to have workers make the attempts, with a Redis of its own. Times are those of
// the coordinator's command while its workers wait; CPU time is that of all processes, which a busy machine changes less.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assay } from '../programs.mjs'
import { printTable } from '../rate-table.mjs'
import { linesOf } from '../suite.mjs'

const ATTEMPTS = 2000
const SLOTS = 4
const ROUNDS = 3
const MOST_WORKERS = 20

/** The limits: seconds for all attempts, milliseconds for one, and how much more of Redis many workers may use. */
const LIMIT_MS = 3000
const LATENCY_MS = 30
const GROWTH = 1.25

/** Prints the table. Returns whether all figures are within their limits. */
export async function benchQueue(folder) {
  if (spawnSync('redis-server', ['--version']).status !== 0) {
    process.stdout.write('The queue is not measured: Redis not found. To get it: apt install redis-server\n')
    return true
  }
  const home = prepare(folder)
  const redis = await startRedis(folder)
  try {
    return await measureQueue(home, redis)
  } finally {
    await redis.stop()
  }
}

async function measureQueue(home, redis) {
  const two = await startWorkers(2, home, redis)
  const alone = await medianOf(() => evaluate(home, 'many.jsonl'))
  const many = await medianOf(() => measured(redis, two, () => evaluate(home, 'many.jsonl', redis)))
  const whole = await medianOf(() => evaluate(home, 'one.jsonl'))
  // The coordinator itself replays a recorded answer, after the same start as for its workers.
  const local = await medianOf(() => evaluate(home, 'one.jsonl', redis, '--target', 'again'))
  const queued = await medianOf(() => evaluate(home, 'one.jsonl', redis))
  await two.stop()
  const twenty = await startWorkers(MOST_WORKERS, home, redis)
  const crowd = await medianOf(() => measured(redis, twenty, () => evaluate(home, 'many.jsonl', redis)), 1)
  await twenty.stop()
  const rows = [
    row(`${ATTEMPTS} mock attempts over 2 workers`, alone.ms, many.ms, LIMIT_MS, 'ms'),
    row('one attempt over a worker, above a local one', 0, queued.ms - local.ms, LATENCY_MS, 'ms'),
    row('one attempt, whole command', whole.ms, queued.ms, undefined, 'ms'),
    row('CPU time of all processes, per attempt', alone.cpuMs / ATTEMPTS, many.cpuMs / ATTEMPTS, undefined, 'ms'),
  ]
  const shared = [
    row('commands per attempt', many.calls, crowd.calls, GROWTH * many.calls, ''),
    row('round trips per attempt', many.trips, crowd.trips, GROWTH * many.trips, ''),
    row('CPU time per attempt', many.redisMs, crowd.redisMs, GROWTH * many.redisMs, 'ms'),
  ]
  printTable([['the queue', 'alone', 'queued', 'at most'], ...rows.map(({ cells }) => cells)])
  printTable([['of Redis', '2 workers', `${MOST_WORKERS} workers`, 'at most'], ...shared.map(({ cells }) => cells)])
  return [...rows, ...shared].every(({ isWithin }) => isWithin)
}

function row(name, before, value, limit, unit) {
  const text = number => `${number.toFixed(number < 10 ? 2 : 0)}${unit && ` ${unit}`}`
  const isWithin = limit === undefined || value <= limit
  return { isWithin, cells: [name, text(before), text(value) + (isWithin ? '' : ' !'), limit ? text(limit) : '–'] }
}

/** A repository with two suites, a mock target and one that replays its answers. */
function prepare(folder) {
  const home = join(folder, 'queue')
  mkdirSync(join(home, '.git'), { recursive: true })
  writeFileSync(join(home, '.git/HEAD'), '')
  const targets = [
    { name: 'default', provider: 'mock', response: 'The sum is 42, if you please.' },
    { name: 'again', provider: 'replay', from: 'latest' },
  ]
  writeFileSync(join(home, 'targets.yaml'), JSON.stringify({ targets }))
  writeFileSync(join(home, 'many.jsonl'), linesOf(ATTEMPTS))
  writeFileSync(join(home, 'one.jsonl'), linesOf(1))
  return home
}

/** Runs `assay eval`; returns its time and CPU time. */
async function evaluate(home, suite, redis, ...args) {
  const queue = redis ? ['--queue', redis.url] : []
  const start = performance.now()
  const child = startAssay(home, 'eval', suite, '--quiet', ...queue, ...args)
  const code = await child.ended
  const ms = performance.now() - start
  if (code !== 0) throw new Error(`assay eval ended with ${code}\n${child.stderr}`)
  return { ms, cpuMs: Number(/cpu time: (\d+)/.exec(child.stderr)?.[1]) / 1000 }
}

async function startWorkers(count, cwd, redis) {
  const args = ['worker', '--queue', redis.url, '--workers', String(SLOTS), '--quiet']
  const workers = Array.from({ length: count }, () => startAssay(cwd, ...args))
  while (!workers.every(({ stderr }) => stderr.includes('is waiting for jobs'))) await sleep(20)
  return {
    cpuMs: () => workers.reduce((sum, { pid }) => sum + cpuTimeOf(pid), 0),
    stop: () => Promise.all(workers.map(worker => worker.kill())),
  }
}

/** Adds the CPU time of workers and Redis to a run, and what Redis did for each attempt. */
async function measured(redis, workers, run) {
  const [before, cpuBefore] = [redis.usage(), workers.cpuMs()]
  const { ms, cpuMs } = await run()
  const after = redis.usage()
  const per = name => (after[name] - before[name]) / ATTEMPTS
  const all = cpuMs + workers.cpuMs() - cpuBefore + after.cpuMs - before.cpuMs
  return { ms, cpuMs: all, calls: per('calls'), trips: per('trips'), redisMs: per('cpuMs') }
}

/** Repeats a measurement; returns the median of each figure. */
async function medianOf(measure, rounds = ROUNDS) {
  const found = []
  for (let round = 0; round < rounds; round++) found.push(await measure())
  const median = name => found.map(each => each[name]).sort((a, b) => a - b)[Math.floor(rounds / 2)]
  return Object.fromEntries(Object.keys(found[0]).map(name => [name, median(name)]))
}

function startAssay(cwd, ...args) {
  const usage = join(import.meta.dirname, '../print-usage.cjs')
  const child = spawn(process.execPath, ['--require', usage, ...assay(...args)], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const started = {
    pid: child.pid,
    stderr: '',
    ended: new Promise(resolve => child.on('close', resolve)),
    kill: () => child.kill() && started.ended,
  }
  child.stderr.on('data', chunk => {
    started.stderr += chunk
  })
  return started
}

/** The CPU time of a process in milliseconds; Linux counts it in hundredths of a second. */
function cpuTimeOf(pid) {
  const [, user, system] = /\) \S+(?: \S+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return (Number(user) + Number(system)) * 10
}

async function startRedis(folder) {
  const port = await freePort()
  const dir = mkdtempSync(join(folder, 'redis-'))
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '']
  const child = spawn('redis-server', args, { stdio: 'ignore' })
  const ask = (...command) => spawnSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8' }).stdout
  while (!ask('ping').includes('PONG')) await sleep(20)
  const sum = (text, pattern) => [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0)
  return {
    url: `redis://127.0.0.1:${port}`,
    usage: () => ({
      calls: sum(ask('info', 'commandstats'), /:calls=(\d+)/g),
      // Commands of clients: those inside of scripts are not among them.
      trips: sum(ask('info', 'stats'), /total_commands_processed:(\d+)/g),
      cpuMs: 1000 * sum(ask('info', 'cpu'), /used_cpu_(?:sys|user):([\d.]+)/g),
    }),
    async stop() {
      const ended = new Promise(resolve => child.on('close', resolve))
      child.kill()
      await ended
      rmSync(dir, { recursive: true })
    },
  }
}

async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}
