import { appendFileSync } from 'node:fs'
import { nodeHost } from '../../src/host/node.ts'
import type { AppendFile, Host, HostFiles } from '../../src/model/host.ts'

/** The calls on files that can fail, besides those that are wrapped one by one. */
const FILE_CALLS = [
  ...(['read', 'stat', 'realPath', 'findBelow', 'glob', 'listNames', 'listEntries'] as const),
  ...(['writeNew', 'makeFolder', 'makeTemporaryFolder', 'copyFile', 'copyFolder', 'rename'] as const),
  ...(['remove', 'removeTemporaryFolder'] as const),
]

export interface HostCall {
  /** A method of a group of the host (`lock` for taking a lock), or `append`, `close`, `readAt`, `release`. */
  readonly name: string
  /** How often that was called, this time included. */
  readonly nth: number
  /** How often anything was. */
  readonly at: number
  readonly path: string
}

/** An error, or a text that is written only partially before it. */
export type Fault = string | { readonly torn: string }

export interface FaultyHost {
  readonly host: Host
  readonly calls: readonly HostCall[]
  /** Those that went wrong. */
  readonly faulted: readonly HostCall[]
  /** Temporary folders that would be left behind. */
  readonly kept: ReadonlySet<string>
  /** Temporary folders that wait for our end. */
  readonly waiting: ReadonlySet<string>
  /** Programs and requests that are under way. */
  readonly underway: number
}

/** The real host with faults chosen by `faultAt`, and without waits. `clockOf` can set the clock. */
export function faultyHost(
  cwd: string,
  faultAt: (call: HostCall) => Fault | undefined,
  clockOf: (real: number) => number = real => real,
): FaultyHost {
  const real = nodeHost(cwd)
  const world = new World(faultAt)
  const wrapped = wrappedFiles(real, world)
  const host: Host = {
    ...real,
    files: {
      ...real.files,
      ...wrapped,
      write: async (path, text) => {
        const fault = world.faultOf('write', path)
        if (fault === undefined) return real.files.write(path, text)
        return real.files.write(path, tornText(text, fault))
      },
      openAppend: async path => {
        world.enter('openAppend', path)
        return world.append(path, await real.files.openAppend(path))
      },
      openRead: path => {
        const file = real.files.openRead(path)
        const readAt = (offset: number, length: number) => {
          world.enter('readAt', path)
          return file.readAt(offset, length)
        }
        return { readAt, close: () => file.close() }
      },
      readLines: async function* (path) {
        world.enter('readLines', path)
        yield* real.files.readLines(path)
      },
      makeTemporaryFolder: async () => {
        const folder = await wrapped.makeTemporaryFolder()
        world.waiting.add(folder)
        return folder
      },
      keepTemporaryFolder: path => {
        if (world.waiting.delete(path)) world.kept.add(path)
        real.files.keepTemporaryFolder(path)
      },
      remove: async path => {
        await wrapped.remove(path)
        world.gone(path)
      },
      removeTemporaryFolder: async path => {
        const wasOurs = await wrapped.removeTemporaryFolder(path)
        world.gone(path)
        return wasOurs
      },
    },
    processes: { ...real.processes, run: program => world.underWay('run', program, () => real.processes.run(program)) },
    network: { fetch: (url, init) => world.underWay('fetch', url, () => real.network.fetch(url, init)) },
    clock: {
      ...real.clock,
      sleep: async (_, signal) => real.clock.sleep(0, signal),
      now: () => clockOf(real.clock.now()),
      timestamp: () => new Date(clockOf(real.clock.now())).toISOString(),
    },
    locks: {
      take: async path => {
        world.enter('lock', path)
        const lock = await real.locks.take(path)
        if (!('release' in lock)) return lock
        // A lock that could not be given back stays, of a process that is gone.
        return { release: () => lock.release().then(() => world.enter('release', path)) }
      },
    },
  }
  return Object.assign(world, { host })
}

function wrappedFiles(real: Host, world: World): Pick<HostFiles, (typeof FILE_CALLS)[number]> {
  const calls = FILE_CALLS.map(name => [
    name,
    async (...args: unknown[]) => {
      world.enter(name, args[0])
      return (real.files[name] as (...args: unknown[]) => Promise<unknown>)(...args)
    },
  ])
  return Object.fromEntries(calls)
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

  async underWay<Value>(name: string, subject: unknown, call: () => Promise<Value>): Promise<Value> {
    this.enter(name, subject)
    this.underway++
    return call().finally(() => {
      this.underway--
    })
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

/** An error of `fetch` has a cause. */
function errorOf(name: string, fault: Fault, path: string): Error {
  const error = systemError(typeof fault === 'string' ? fault : fault.torn, path)
  return name === 'fetch' ? new TypeError('fetch failed', { cause: error }) : error
}

function wordsOf(subject: unknown): string {
  if (typeof subject === 'object' && subject !== null && 'command' in subject) return String(subject.command)
  return String(subject)
}
