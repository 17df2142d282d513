import type { Host } from '../model/host.ts'
import { NoAnswer } from '../model/no-answer.ts'
import type { Recordings } from '../model/recordings.ts'
import { findRun } from './find-run.ts'
import { NoRun } from './no-run.ts'
import { readRecordings } from './read-recordings.ts'

/** Answers that are kept in another form than as a run; undefined where there are none at that place. */
export type OtherRecordings = (from: string, folder: string, host: Host) => Promise<Recordings | undefined>

/** The answers of earlier times, each read once. `latest` is the last run before this. */
export function recordingsOf(runsFolder: string, earlier: string | undefined, others: OtherRecordings, host: Host) {
  const read = new Map<string, Promise<Recordings>>()
  const readAny = async (from: string, folder: string) => {
    const other = await others(from, folder, host)
    if (other) return other
    if (from === 'latest' && earlier === undefined) throw new NoRun('There is no run before this one.')
    const run = from === 'latest' && earlier !== undefined ? earlier : from
    return readRecordings(await findRun(run, runsFolder, host, folder), host)
  }
  return (from: string, folder: string): Promise<Recordings> => {
    const key = JSON.stringify([from, folder])
    const known = read.get(key)
    if (known) return known
    const recordings = readAny(from, folder).catch(error => {
      throw error instanceof NoRun ? new NoAnswer('no-recording', error.message) : error
    })
    read.set(key, recordings)
    return recordings
  }
}
