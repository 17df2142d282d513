import { spawn } from 'node:child_process'
import { join } from 'node:path'

const USAGE_HOOK = join(import.meta.dirname, 'print-usage.cjs')

/** Median times of both sides in milliseconds, runs alternating, and the peak memory of ours in bytes; of a row of calls also their CPU time. */
export async function measure({ ours, baseline, runs, startUp, calls }) {
  await time(ours)
  await time(baseline)
  const times = { ours: [], baseline: [] }
  for (let run = 0; run < runs; run++) {
    times.ours.push(await time(ours))
    times.baseline.push(await time(baseline))
  }
  // Starting up is taken off where a row says how.
  const start = startUp ? await measure({ ...startUp, runs }) : { oursMs: 0, baselineMs: 0 }
  return {
    oursMs: median(times.ours) - start.oursMs,
    baselineMs: median(times.baseline) - start.baselineMs,
    memory: (await usage(ours)).memory,
    ...(calls ? { cpuPerCall: await cpuPerCall({ ours, baseline, startUp, calls }) } : {}),
  }
}

async function cpuPerCall({ ours, baseline, startUp, calls }) {
  const of = async (many, one) => ((await usage(many)).cpuMs - (await usage(one)).cpuMs) / calls
  return { ours: await of(ours, startUp.ours), baseline: await of(baseline, startUp.baseline) }
}

async function time(args) {
  const start = process.hrtime.bigint()
  await runNode(args)
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** What a run uses, asked for in a run of its own, so that asking costs no time in the others. */
async function usage(args) {
  const stderr = await runNode(['--require', USAGE_HOOK, ...args])
  const figure = name => Number(new RegExp(`${name}: (\\d+)`).exec(stderr)?.[1])
  return { memory: figure('peak memory'), cpuMs: figure('cpu time') / 1000 }
}

function runNode(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', code =>
      code === 0 ? resolve(stderr) : reject(new Error(`${args.join(' ')} ended with ${code}\n${stderr}`)),
    )
  })
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
