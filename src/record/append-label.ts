import { basename, dirname, join } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import type { Host } from '../model/host.ts'
import { type Label, labelSchema } from '../model/label.ts'
import { RunError, readIfExists } from './run-error.ts'

const LONGEST_WAIT_MS = 10_000
const NAP_MS = 5

/** Appends a label to the file of its suite; it is on disk when this resolves. One process writes at a time. */
export async function appendLabel(path: string, label: Label, host: Host): Promise<void> {
  await withLock(path, host, () => appendLines(path, `${JSON.stringify(label)}\n`, host))
}

/** Completes a last line without a line break if it is a label, and removes one that a killed process could not finish. */
export async function repairLabels(path: string, host: Host): Promise<void> {
  if ((await lastLine(path, host)) !== '') await withLock(path, host, () => appendLines(path, '', host))
}

async function withLock(path: string, host: Host, work: () => Promise<void>): Promise<void> {
  try {
    await host.files.makeFolder(dirname(path))
    const release = await takeLock(path, host)
    try {
      await work()
    } finally {
      await release()
    }
  } catch (error) {
    if (error instanceof RunError) throw error
    throw new RunError(`Cannot write labels to ${path}: ${(error as Error).message}`)
  }
}

async function appendLines(path: string, lines: string, host: Host): Promise<void> {
  const last = await lastLine(path, host)
  const kept = labelSchema().safeParse(parseJson(last)).success ? `${last}\n` : ''
  const file = await host.files.openAppend(path)
  try {
    if (kept + lines !== '') file.append(kept + lines)
  } finally {
    await file.close()
  }
}

/** The last line if it has no line break: an editor left that out, or a process was killed. */
async function lastLine(path: string, host: Host): Promise<string> {
  const text = new TextDecoder().decode(await readIfExists(path, host))
  return text.slice(text.lastIndexOf('\n') + 1)
}

async function takeLock(path: string, host: Host): Promise<() => Promise<void>> {
  const lockPath = join(dirname(path), `.${basename(path)}.lock`)
  const start = host.clock.elapsed()
  for (;;) {
    const lock = await host.locks.take(lockPath)
    if ('release' in lock) return lock.release
    if (host.clock.elapsed() - start > LONGEST_WAIT_MS)
      throw new RunError(
        `${lockPath} has been locked by ${lock.holder} for more than 10 s. If that process has ended, remove the file.`,
      )
    await host.clock.sleep(NAP_MS + host.random() * NAP_MS)
  }
}
