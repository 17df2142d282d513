import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AppendFile } from '../../model/host-files.ts'
import { openForAppendSync, readFully, throwIfLink } from './regular-file.ts'

/** The delay before written data is synced to disk. */
const SYNC_MS = 90

const NEWLINE = 0x0a

/** Opens a regular file for appending lines, without following links. Cuts off an incomplete last line. */
export function openAppendFile(path: string): AppendFile {
  mkdirSync(dirname(path), { recursive: true })
  const file = openForAppend(path)
  let size = endOfLastLine(file)
  ftruncateSync(file, size)
  const sync = scheduleSync(file)
  return {
    get size() {
      return size
    },
    append(text) {
      sync.check()
      const length = Buffer.byteLength(text)
      try {
        const written = writeSync(file, text)
        if (written < length) writeRest(file, Buffer.from(text), written)
      } catch (error) {
        // A partial line would corrupt the next one.
        ftruncateSync(file, size)
        throw error
      }
      size += length
      sync.request()
    },
    async close() {
      await sync.settle()
      try {
        fsyncSync(file)
        sync.check()
      } finally {
        closeSync(file)
      }
    },
  }
}

function openForAppend(path: string): number {
  try {
    return openForAppendSync(path)
  } catch (error) {
    return throwIfLink(path)(error as Error)
  }
}

/** A write may be partial. */
function writeRest(file: number, bytes: Buffer, from: number): void {
  for (let written = from; written < bytes.length; ) written += writeSync(file, bytes, written)
}

function endOfLastLine(file: number): number {
  const chunk = Buffer.alloc(64 * 1024)
  for (let end = fstatSync(file).size; end > 0; ) {
    const start = Math.max(0, end - chunk.length)
    const read = readFully(file, chunk.subarray(0, end - start), start)
    const newline = chunk.subarray(0, read).lastIndexOf(NEWLINE)
    if (newline >= 0) return start + newline + 1
    end = start
  }
  return 0
}

/** Limits syncs to one per interval, and one at a time. */
function scheduleSync(file: number) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let problem: Error | null = null
  const start = () => {
    timer = undefined
    running = new Promise<Error | null>(done => fdatasync(file, done)).then(error => {
      // The system reports it only once: the next sync, also that on close, would succeed.
      problem ??= error
      running = undefined
    })
  }
  return {
    request() {
      if (!timer) timer = setTimeout(start, SYNC_MS).unref()
    },
    /** Throws if data that was written before could not be synced. */
    check() {
      if (problem) throw problem
    },
    async settle() {
      clearTimeout(timer)
      await running
    },
  }
}
