import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Starts a server in a separate process, and waits until it prints its URL. */
export async function startServer(name, ...args) {
  const path = join(import.meta.dirname, 'baselines', name)
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise(resolve => child.stdout.once('data', data => resolve(String(data).trim())))
  return { url, stop: () => child.kill() }
}
