import { spawn } from 'node:child_process'
import { join } from 'node:path'

const USAGE_HOOK = join(import.meta.dirname, '../print-usage.cjs')

/** Runs a step in a separate process: its wall and CPU time in milliseconds, and its peak memory in bytes. */
export async function runStep({ name, args, exit }, cwd) {
  const start = process.hrtime.bigint()
  const given = args.map(arg => (typeof arg === 'function' ? arg() : arg))
  const { code, stderr } = await runNode(given, cwd)
  const wallMs = Number(process.hrtime.bigint() - start) / 1e6
  if (exit !== undefined && code !== exit)
    throw new Error(`${name} ended with ${code}, not with ${exit}\n${stderr.slice(-4000)}`)
  // A browser page reports its own measurements.
  const page = /^page: (.*)$/m.exec(stderr)?.[1]
  return page === undefined ? { wallMs, ...usageIn(stderr) } : JSON.parse(page)
}

/** Threads print the usage of their process too, earlier: the maximum is that of the process. */
function usageIn(stderr) {
  const most = what =>
    Math.max(0, ...Array.from(stderr.matchAll(new RegExp(`^${what}: (\\d+)`, 'gm')), ([, text]) => Number(text)))
  return { cpuMs: most('cpu time') / 1000, memory: most('peak memory') }
}

function runNode(args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--require', USAGE_HOOK, ...args], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr = `${stderr}${chunk}`.slice(-100_000)
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? signal, stderr }))
  })
}
