import { spawn } from 'node:child_process'
import { join } from 'node:path'

const MEMORY_HOOK = join(import.meta.dirname, 'print-memory.cjs')

/** Median times of both sides in milliseconds, runs alternating, and the peak memory of ours in bytes. */
export async function measure({ ours, baseline, runs, startUp }) {
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
    memory: await peakMemory(ours),
  }
}

async function time(args) {
  const start = process.hrtime.bigint()
  await runNode(args)
  return Number(process.hrtime.bigint() - start) / 1e6
}

/** Peak memory, asked for in a run of its own, so that asking costs no time in the others. */
async function peakMemory(args) {
  const stderr = await runNode(['--require', MEMORY_HOOK, ...args])
  return Number(/peak memory: (\d+)/.exec(stderr)?.[1])
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
