import type { Host } from '../model/host.ts'
import { NoAnswer } from '../model/no-answer.ts'
import type { Recordings } from '../model/recordings.ts'
import { findRun, NoRun } from './find-run.ts'
import { readRecordings } from './read-recordings.ts'

/** The answers of earlier runs, each read once. `latest` is the last one before this. */
export function recordingsOf(runsFolder: string, earlier: string | undefined, host: Host) {
  const read = new Map<string, Promise<Recordings>>()
  const foundRun = async (from: string, folder: string) => {
    if (from === 'latest' && earlier === undefined) throw new NoRun('There is no run before this one.')
    return findRun(from === 'latest' && earlier !== undefined ? earlier : from, runsFolder, host, folder)
  }
  return (from: string, folder: string): Promise<Recordings> => {
    const key = JSON.stringify([from, folder])
    let recordings = read.get(key)
    if (!recordings) {
      recordings = foundRun(from, folder)
        .then(found => readRecordings(found, host))
        .catch(error => {
          throw error instanceof NoRun ? new NoAnswer('no-recording', error.message) : error
        })
      read.set(key, recordings)
    }
    return recordings
  }
}
