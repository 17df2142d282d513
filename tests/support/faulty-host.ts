import { appendFileSync } from 'node:fs'
import { nodeHost } from '../../src/host/node.ts'
import type { AppendFile, Host } from '../../src/model/host.ts'

/** The ways to the world in which something can go wrong. */
const CALLS = [
  ...(['readBytes', 'stat', 'realPath', 'filesBelow', 'glob', 'names', 'entries'] as const),
  ...(['writeNew', 'makeFolder', 'makeTemporaryFolder', 'copyFile', 'copyFolder', 'rename'] as const),
  ...(['remove', 'removeTemporary', 'run', 'fetch'] as const),
]

export interface HostCall {
  /** A method of the host, or `append`, `close`, `readAt`, `release`. */
  readonly name: string
  /** How often that was called, this time included. */
  readonly nth: number
  /** How often anything was. */
  readonly at: number
  readonly path: string
}

/** What goes wrong: an error, or a text that is written only in part before it. */
export type Fault = string | { readonly torn: string }

export interface FaultyHost {
  readonly host: Host
  readonly calls: readonly HostCall[]
  /** Those that went wrong. */
  readonly faulted: readonly HostCall[]
  /** Temporary folders that would still be there when we end: nobody removes them any more. */
  readonly kept: ReadonlySet<string>
  /** Temporary folders that wait for our end. */
  readonly waiting: ReadonlySet<string>
  /** Programs and requests that are under way. */
  readonly underway: number
}

/** The real host, in which calls go wrong that `faultAt` chooses. Nobody waits in it. `clockOf` may set the clock. */
export function faultyHost(
  cwd: string,
  faultAt: (call: HostCall) => Fault | undefined,
  clockOf: (real: number) => number = real => real,
): FaultyHost {
  const real = nodeHost(cwd)
  const world = new World(faultAt)
  const wrapped = Object.fromEntries(
    CALLS.map(name => [
      name,
      async (...args: unknown[]) => {
        world.enter(name, args[0])
        const stays = name === 'run' || name === 'fetch' ? 1 : 0
        world.underway += stays
        return (real[name] as (...args: unknown[]) => Promise<unknown>)(...args).finally(() => {
          world.underway -= stays
        })
      },
    ]),
  ) as unknown as Pick<Host, (typeof CALLS)[number]>
  const host: Host = {
    ...real,
    ...wrapped,
    write: async (path, text) => {
      const fault = world.faultOf('write', path)
      if (fault === undefined) return real.write(path, text)
      return real.write(path, tornText(text, fault))
    },
    openAppend: async path => {
      world.enter('openAppend', path)
      return world.append(path, await real.openAppend(path))
    },
    openRead: path => {
      const file = real.openRead(path)
      const readAt = (offset: number, length: number) => {
        world.enter('readAt', path)
        return file.readAt(offset, length)
      }
      return { readAt, close: () => file.close() }
    },
    readLines: async function* (path) {
      world.enter('readLines', path)
      yield* real.readLines(path)
    },
    lock: async path => {
      world.enter('lock', path)
      const lock = await real.lock(path)
      if (!('release' in lock)) return lock
      // A lock that could not be given back stays, of a process that is gone.
      return { release: () => lock.release().then(() => world.enter('release', path)) }
    },
    makeTemporaryFolder: async () => {
      const folder = await wrapped.makeTemporaryFolder()
      world.waiting.add(folder)
      return folder
    },
    keepFolder: path => {
      if (world.waiting.delete(path)) world.kept.add(path)
      real.keepFolder(path)
    },
    remove: async path => {
      await wrapped.remove(path)
      world.gone(path)
    },
    removeTemporary: async path => {
      const wasOurs = await wrapped.removeTemporary(path)
      world.gone(path)
      return wasOurs
    },
    sleep: async (_, signal) => real.sleep(0, signal),
    now: () => clockOf(real.now()),
    timestamp: () => new Date(clockOf(real.now())).toISOString(),
  }
  return Object.assign(world, { host })
}

/** An error as Node throws it. */
export function systemError(code: string, path = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: it went wrong, ${path}`), { code, errno: -1, syscall: 'test', path })
}

class World {
  readonly calls: HostCall[] = []
  readonly faulted: HostCall[] = []
  readonly kept = new Set<string>()
  readonly waiting = new Set<string>()
  underway = 0
  readonly #counts = new Map<string, number>()
  readonly #faultAt: (call: HostCall) => Fault | undefined

  constructor(faultAt: (call: HostCall) => Fault | undefined) {
    this.#faultAt = faultAt
  }

  faultOf(name: string, subject: unknown): Fault | undefined {
    const nth = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, nth)
    const call = { name, nth, at: this.calls.length + 1, path: wordsOf(subject) }
    this.calls.push(call)
    const fault = this.#faultAt(call)
    if (fault !== undefined) this.faulted.push(call)
    return fault
  }

  enter(name: string, subject: unknown): void {
    const fault = this.faultOf(name, subject)
    if (fault !== undefined) throw errorOf(name, fault, wordsOf(subject))
  }

  append(path: string, file: AppendFile): AppendFile {
    const world = this
    return {
      get size() {
        return file.size
      },
      append(text) {
        const fault = world.faultOf('append', path)
        // What stays of a line where the disk does not even take it back.
        if (typeof fault === 'object') appendFileSync(path, text.slice(0, text.length / 2))
        if (fault !== undefined) throw errorOf('append', fault, path)
        file.append(text)
      },
      async close() {
        await file.close()
        world.enter('close', path)
      },
    }
  }

  gone(path: string): void {
    this.waiting.delete(path)
    this.kept.delete(path)
  }
}

/** A disk that fills up while a file is written. */
async function* tornText(text: string | AsyncIterable<string>, fault: Fault): AsyncGenerator<string> {
  if (typeof fault === 'object') {
    for await (const part of typeof text === 'string' ? [text] : text) yield part.slice(0, part.length / 2)
  }
  throw errorOf('write', fault, '')
}

/** What `fetch` throws has the cause inside. */
function errorOf(name: string, fault: Fault, path: string): Error {
  const error = systemError(typeof fault === 'string' ? fault : fault.torn, path)
  return name === 'fetch' ? new TypeError('fetch failed', { cause: error }) : error
}

function wordsOf(subject: unknown): string {
  if (typeof subject === 'object' && subject !== null && 'command' in subject) return String(subject.command)
  return String(subject)
}
