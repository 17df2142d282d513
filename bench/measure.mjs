import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const USAGE_HOOK = join(import.meta.dirname, 'print-usage.cjs')

/**
 * Measures alternating runs: the median times of both sides and of an optional peer in milliseconds, our peak memory in
 * bytes, and the CPU time per call if the row has calls.
 */
export async function measure({ ours, baseline, peer, runs, startUp, calls }) {
  const peerRun = await peerThatRuns(peer?.ours)
  const times = await alternately({ ours: node(ours), baseline: node(baseline), peer: peerRun }, runs)
  // Subtracts the start-up time if the row defines it.
  const start = startUp
    ? await alternately(
        { ours: node(startUp.ours), baseline: node(startUp.baseline), peer: peerRun && shell(peer.startUp) },
        runs,
      )
    : { ours: 0, baseline: 0, peer: 0 }
  return {
    oursMs: times.ours - start.ours,
    baselineMs: times.baseline - start.baseline,
    peerMs: peerRun && times.peer - start.peer,
    memory: await peakMemory(ours),
    ...(calls ? { cpuPerCall: await cpuPerCall({ ours, baseline, startUp, calls, runs }) } : {}),
  }
}

async function alternately(sides, runs) {
  const measured = Object.entries(sides).filter(([, run]) => run)
  const times = Object.fromEntries(measured.map(([side]) => [side, []]))
  // The first round only warms the caches.
  for (let round = 0; round <= runs; round++) {
    for (const [side, run] of measured) {
      const ms = await time(run)
      if (round > 0) times[side].push(ms)
    }
  }
  return Object.fromEntries(measured.map(([side]) => [side, median(times[side])]))
}

/** Returns the command of the peer, or prints why it cannot run the workload. */
async function peerThatRuns(command) {
  if (!command) return undefined
  try {
    await shell(command)()
    return shell(command)
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    return undefined
  }
}

/** The medians of alternating runs, as those of times. */
async function cpuPerCall({ ours, baseline, startUp, calls, runs }) {
  const of = async (many, one) => ((await usage(many)).cpuMs - (await usage(one)).cpuMs) / calls
  const measured = { ours: [], baseline: [] }
  for (let run = 0; run < runs; run++) {
    measured.ours.push(await of(ours, startUp.ours))
    measured.baseline.push(await of(baseline, startUp.baseline))
  }
  return { ours: median(measured.ours), baseline: median(measured.baseline) }
}

async function time(run) {
  const start = process.hrtime.bigint()
  await run()
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** The median of three runs: the peak depends on when V8 collects. */
async function peakMemory(args) {
  const peaks = []
  for (let run = 0; run < 3; run++) peaks.push((await usage(args)).memory)
  return median(peaks)
}

/** Measures memory and CPU in a separate run, so that this does not slow down the timed ones. */
async function usage(args) {
  const stderr = await node(['--require', USAGE_HOOK, ...args])()
  const figure = name => Number(new RegExp(`${name}: (\\d+)`).exec(stderr)?.[1])
  return { memory: figure('peak memory'), cpuMs: figure('cpu time') / 1000 }
}

/** In a folder outside of any repository: git is no part of what is measured. */
function node(args) {
  const options = { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'pipe'] }
  return () => stderrOf(spawn(process.execPath, args, options), args.join(' '))
}

function shell(command) {
  return () => stderrOf(spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] }), command)
}

/** Waits for a program to exit with 0, and returns its stderr. */
function stderrOf(child, what) {
  return new Promise((resolve, reject) => {
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', code =>
      code === 0 ? resolve(stderr) : reject(new Error(`${what} ended with ${code}\n${stderr}`)),
    )
  })
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
