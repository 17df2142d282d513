import { spawn } from 'node:child_process'
import { join } from 'node:path'

const USAGE_HOOK = join(import.meta.dirname, 'print-usage.cjs')

/**
 * Median times of both sides in milliseconds, and of a peer where there is one, runs alternating; the peak memory of ours in
 * bytes; of a row of calls also their CPU time.
 */
export async function measure({ ours, baseline, peer, runs, startUp, calls }) {
  const peerRun = await peerThatRuns(peer?.ours)
  const times = await alternately({ ours: node(ours), baseline: node(baseline), peer: peerRun }, runs)
  // Starting up is taken off where a row says how.
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
    memory: (await usage(ours)).memory,
    ...(calls ? { cpuPerCall: await cpuPerCall({ ours, baseline, startUp, calls }) } : {}),
  }
}

async function alternately(sides, runs) {
  const measured = Object.entries(sides).filter(([, run]) => run)
  const times = Object.fromEntries(measured.map(([side]) => [side, []]))
  // The first round warms the caches of the machine.
  for (let round = 0; round <= runs; round++) {
    for (const [side, run] of measured) {
      const ms = await time(run)
      if (round > 0) times[side].push(ms)
    }
  }
  return Object.fromEntries(measured.map(([side]) => [side, median(times[side])]))
}

/** A peer that cannot do a workload has no figure there, and says why. */
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

async function cpuPerCall({ ours, baseline, startUp, calls }) {
  const of = async (many, one) => ((await usage(many)).cpuMs - (await usage(one)).cpuMs) / calls
  return { ours: await of(ours, startUp.ours), baseline: await of(baseline, startUp.baseline) }
}

async function time(run) {
  const start = process.hrtime.bigint()
  await run()
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** What a run uses, asked for in a run of its own, so that asking costs no time in the others. */
async function usage(args) {
  const stderr = await node(['--require', USAGE_HOOK, ...args])()
  const figure = name => Number(new RegExp(`${name}: (\\d+)`).exec(stderr)?.[1])
  return { memory: figure('peak memory'), cpuMs: figure('cpu time') / 1000 }
}

function node(args) {
  return () => ended(spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }), args.join(' '))
}

function shell(command) {
  return () => ended(spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'pipe'] }), command)
}

/** What a program wrote to stderr, once it has ended well. */
function ended(child, what) {
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
