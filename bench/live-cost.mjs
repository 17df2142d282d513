// `node bench/live-cost.mjs`, or `npm run bench -- live`: what it costs a run of 5,000 attempts at 200 a second that
// `assay view` follows it, with two requests a second for its state, as its page makes them. Runs with and without the
// view alternate, and the median counts.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable } from './rate-table.mjs'

const PROGRAM = join(import.meta.dirname, '../dist/assay.cjs')
const ATTEMPTS = 5000
/** 20 at once, each of 100 ms. */
const WORKERS = 20
const DELAY_MS = 100
const ROUNDS = 3
const LIMIT = 1.05
const POLL_MS = 500

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
mkdirSync(join(folder, '.git'))
mkdirSync(join(folder, '.assay'))
const tests = Array.from({ length: ATTEMPTS }, (_, n) => ({
  id: `t${n}`,
  criteria: 'Greets',
  input: `Hello ${n}`,
  assert: [{ type: 'contains', value: n % 10 === 0 ? 'Bye' : 'Hi' }],
}))
writeFileSync(join(folder, 'EVAL.yaml'), JSON.stringify({ name: 'live', tests }))
const target = { name: 'default', provider: './agent.mjs', workers: WORKERS }
writeFileSync(join(folder, '.assay/targets.yaml'), JSON.stringify({ targets: [target] }))
writeFileSync(
  join(folder, '.assay/agent.mjs'),
  `export default {
  config: { safeParse: data => ({ success: true, data }) },
  answer: () => new Promise(done => setTimeout(() => done({ text: 'Hi, how can I help you today? '.repeat(20) }), ${DELAY_MS})),
}
`,
)
try {
  const times = { alone: [], viewed: [] }
  const polls = []
  for (let round = 0; round < ROUNDS; round++) {
    times.alone.push(await evaluate())
    const view = await startView()
    try {
      times.viewed.push(await evaluate())
    } finally {
      polls.push(...(await view.stop()))
    }
  }
  const [alone, viewed] = [times.alone, times.viewed].map(median)
  const ratio = viewed / alone
  printTable([
    [
      `run of ${ATTEMPTS} attempts at ${(WORKERS * 1000) / DELAY_MS} a second`,
      'alone',
      'with the view',
      'ratio',
      'at most',
    ],
    ['time', seconds(alone), seconds(viewed), `${ratio.toFixed(3)}${ratio > LIMIT ? ' !' : ''}`, LIMIT.toFixed(2)],
  ])
  process.stdout.write(
    `${polls.length} requests, median ${median(polls).toFixed(0)} ms, longest ${Math.max(...polls).toFixed(0)} ms\n`,
  )
} finally {
  rmSync(folder, { recursive: true })
}

/** Runs the suite; returns its time in milliseconds. */
async function evaluate() {
  const start = performance.now()
  const child = spawn(process.execPath, [PROGRAM, 'eval', '--quiet'], { cwd: folder, stdio: 'ignore' })
  await new Promise(resolve => child.on('close', resolve))
  return performance.now() - start
}

/** Starts the view, and asks for the state of the newest run as its page does. */
async function startView() {
  const child = spawn(process.execPath, [PROGRAM, 'view', '--no-open'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const address = await new Promise(resolve => {
    child.stdout.on('data', chunk => resolve(/http:\S+/.exec(String(chunk))[0]))
  })
  const times = []
  const before = newestRun()
  let isStopped = false
  const polling = (async () => {
    while (!isStopped) {
      const start = performance.now()
      const id = newestRun()
      // The run before is finished: it would be read whole while the next one starts.
      if (id !== before) {
        await (await fetch(`${address}api/runs/${id}/live`)).arrayBuffer()
        times.push(performance.now() - start)
      }
      await new Promise(resolve => setTimeout(resolve, POLL_MS))
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await polling
      child.kill('SIGINT')
      return times
    },
  }
}

function newestRun() {
  return readFileSync(join(folder, '.assay/runs/latest'), 'utf8').trim()
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
