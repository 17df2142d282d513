import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeHost } from '../../../src/host/node.ts'

/** Makes a run start some days earlier. */
export function backdate(cwd: string, id: string, days: number): void {
  const file = join(cwd, '.assay/runs', id, 'run.json')
  const info = JSON.parse(readFileSync(file, 'utf8'))
  const started = new Date(Date.parse(info.started) - days * 24 * 60 * 60 * 1000).toISOString()
  writeFileSync(file, `${JSON.stringify({ ...info, started })}\n`)
}

/** Locks a run as a process does that works on it. Returns what releases it. */
export async function holdLock(folder: string): Promise<() => Promise<void>> {
  const lock = await nodeHost().locks.take(join(folder, 'lock'))
  if ('holder' in lock) throw new Error(`${folder} is locked by ${lock.holder}`)
  return lock.release
}
