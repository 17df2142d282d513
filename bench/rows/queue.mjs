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
const ROUNDS = 7
const MOST_WORKERS = 20

/** The limits of all attempts and of one, and what Redis may do for each attempt, however many workers there are. */
const LIMIT_MS = 3000
const LATENCY_MS = 30
const MOST_COMMANDS = 50
const REDIS_MS = 0.25

/** Ends the commands that still run, such as workers after a failure. */
const running = new Set()

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
    for (const kill of running) await kill()
    await redis.stop()
  }
}

async function measureQueue(home, redis) {
  const two = await startWorkers(2, home, redis)
  const [alone, many] = await leastOf([
    () => evaluate(home, 'many.jsonl'),
    () => measured(redis, two, () => evaluate(home, 'many.jsonl', redis)),
  ])
  const [whole, local, queued] = await leastOf([
    () => evaluate(home, 'one.jsonl'),
    // The coordinator itself replays a recorded answer, after the same start as for its workers.
    () => evaluate(home, 'one.jsonl', redis, '--target', 'again'),
    () => evaluate(home, 'one.jsonl', redis),
  ])
  await two.stop()
  const twenty = await startWorkers(MOST_WORKERS, home, redis)
  const [crowd] = await leastOf([() => measured(redis, twenty, () => evaluate(home, 'many.jsonl', redis))], 2)
  await twenty.stop()
  const rows = [
    row(`${ATTEMPTS} mock attempts over 2 workers`, alone.ms, many.ms, LIMIT_MS, 'ms'),
    row('one attempt over a worker, above a local one', 0, queued.ms - local.ms, LATENCY_MS, 'ms'),
    row('one attempt, whole command', whole.ms, queued.ms, undefined, 'ms'),
    row('CPU time of all processes, per attempt', alone.cpuMs / ATTEMPTS, many.cpuMs / ATTEMPTS, undefined, 'ms'),
  ]
  const shared = [
    row('commands per attempt', many.calls, crowd.calls, MOST_COMMANDS, ''),
    row('CPU time per attempt', many.redisMs, crowd.redisMs, REDIS_MS, 'ms'),
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
  return { ms, cpuMs: all, calls: per('calls'), redisMs: per('cpuMs') }
}

/** Repeats measurements by turns; returns the smallest of each figure: other work on the machine only adds to it. */
async function leastOf(measurements, rounds = ROUNDS) {
  const found = measurements.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of measurements.entries()) found[index].push(await measure())
  }
  const least = (all, name) => Math.min(...all.map(each => each[name]))
  return found.map(all => Object.fromEntries(Object.keys(all[0]).map(name => [name, least(all, name)])))
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
  running.add(started.kill)
  started.ended.then(() => running.delete(started.kill))
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
