import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Semaphore } from '../lib/semaphore.ts'
import { takeLock } from './locks.ts'

/** How long to wait before another try to take the lock. */
const BUSY_MS = 2

/** A file of lines that several processes append to, one at a time. */
export class SharedJournal {
  readonly #path: string
  readonly #read: (line: string) => void
  readonly #turns = new Semaphore(1)
  /** Offset after the last line that was read. */
  #end = 0

  /** `read` receives each line once, in order, also those of other processes. */
  constructor(path: string, read: (line: string) => void) {
    this.#path = path
    this.#read = read
  }

  /** Appends the line that `next` returns. It is called after all earlier lines were read, and no other line follows them. */
  append(next: (size: number) => string): Promise<void> {
    return this.#turns.run(async () => {
      const release = await this.#lock()
      try {
        this.#appendLocked(next)
      } finally {
        await release()
      }
    })
  }

  #appendLocked(next: (size: number) => string): void {
    const file = openSync(this.#path, 'a+')
    try {
      this.#readNew(file)
      // The rest of a line that a killed process could not finish.
      ftruncateSync(file, this.#end)
      const line = next(this.#end)
      const bytes = Buffer.from(`${line}\n`)
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      this.#end += bytes.length
      this.#read(line)
    } finally {
      closeSync(file)
    }
  }

  #readNew(file: number): void {
    const added = Buffer.alloc(fstatSync(file).size - this.#end)
    for (let read = 0; read < added.length; ) {
      const count = readSync(file, added, read, added.length - read, this.#end + read)
      if (count === 0) break
      read += count
    }
    for (let start = 0, end = added.indexOf(10); end >= 0; start = end + 1, end = added.indexOf(10, start)) {
      this.#read(added.toString('utf8', start, end))
      this.#end += end + 1 - start
    }
  }

  async #lock(): Promise<() => Promise<void>> {
    while (true) {
      const lock = await takeLock(`${this.#path}.lock`)
      if ('release' in lock) return lock.release
      await sleep(BUSY_MS)
    }
  }
}
