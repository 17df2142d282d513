import { join } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import type { Host } from '../model/host.ts'
import { type LiveStatus, liveStatusSchema } from '../model/live-status.ts'

/** What the process of a run writes about it, and how it is asked to stop. The lock shows whether the process lives. */
const LIVE_FILE = 'live.json'
const STOP_FILE = 'stop'
const LOCK_FILE = 'lock'

/** Larger files are not ours. */
const MOST_BYTES = 1024 * 1024

/** Replaces the status of a run. */
export async function writeLiveStatus(folder: string, json: string, host: Host): Promise<void> {
  await host.files.write(join(folder, LIVE_FILE), `${json}\n`)
}

/** Reads the status of a run; undefined if there is no readable one. */
export async function readLiveStatus(folder: string, host: Host): Promise<LiveStatus | undefined> {
  const text = await textIn(folder, LIVE_FILE, host)
  return text === undefined ? undefined : liveStatusSchema().safeParse(parseJson(text)).data
}

/** The live process that works on a run; undefined without one. */
export async function runHolder(folder: string, host: Host): Promise<string | undefined> {
  // A lock that cannot be read does not show that a process works on it.
  return host.locks.holder(join(folder, LOCK_FILE)).catch(() => undefined)
}

/**
 * Asks the process of a run to stop. Returns false if no live process has the lock. The request repeats the lock, which
 * is different for each process, so that it cannot stop a later one.
 */
export async function requestStop(folder: string, host: Host): Promise<boolean> {
  const lock = await textIn(folder, LOCK_FILE, host)
  if (lock === undefined || (await runHolder(folder, host)) === undefined) return false
  await host.files.write(join(folder, STOP_FILE), lock)
  return true
}

/** Whether the process that has the lock of a run is asked to stop. */
export async function isStopRequested(folder: string, host: Host): Promise<boolean> {
  const request = await textIn(folder, STOP_FILE, host)
  return request !== undefined && request === (await textIn(folder, LOCK_FILE, host))
}

/** Removes the status and the request, as far as that is possible. */
export async function removeLiveFiles(folder: string, host: Host): Promise<void> {
  for (const name of [LIVE_FILE, STOP_FILE]) await host.files.remove(join(folder, name)).catch(() => {})
}

/** Reads a small file of a run without following links out of its folder; undefined if that is not possible. */
async function textIn(folder: string, name: string, host: Host): Promise<string | undefined> {
  const file = await host.files.readContained(folder, name, MOST_BYTES).catch(() => undefined)
  return file && 'bytes' in file ? new TextDecoder().decode(file.bytes) : undefined
}
