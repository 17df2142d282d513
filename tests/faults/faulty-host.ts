import { appendFileSync } from 'node:fs'
import { nodeHost } from '../../src/host/node.ts'
import type { Host } from '../../src/model/host.ts'
import type { AppendFile, HostFiles } from '../../src/model/host-files.ts'

/** The file methods that can fail, except those with their own wrapper. */
const FILE_CALLS = [
  ...([
    'read',
    'readContained',
    'stat',
    'realPath',
    'readLink',
    'findBelow',
    'glob',
    'listNames',
    'listEntries',
  ] as const),
  ...(['writeNew', 'makeFolder', 'makeTemporaryFolder', 'copyFile', 'copyFolder', 'rename'] as const),
  ...(['remove', 'removeTemporaryFolder'] as const),
]

export interface HostCall {
  /** A method of a group of the host (`lock` for taking a lock), or `append`, `close`, `readAt`, `release`. */
  readonly name: string
  /** The number of calls of this method so far, including this one. */
  readonly nth: number
  /** The number of all calls so far. */
  readonly at: number
  readonly path: string
}

/** An error, or a text that is written only partially before it. */
export type Fault = string | { readonly torn: string }

export interface FaultyHost {
  readonly host: Host
  readonly calls: readonly HostCall[]
  /** The calls that failed. */
  readonly faulted: readonly HostCall[]
  /** Temporary folders that are kept after the run. */
  readonly kept: ReadonlySet<string>
  /** Temporary folders that are removed at the end of the run. */
  readonly waiting: ReadonlySet<string>
  /** The number of pending programs and requests. */
  readonly pending: number
}

/** The real host with faults chosen by `faultAt`, and without waits. `clockOf` can set the clock. */
export function faultyHost(
  cwd: string,
  faultAt: (call: HostCall) => Fault | undefined,
  clockOf: (real: number) => number = real => real,
): FaultyHost {
  const real = nodeHost(cwd)
  const log = new CallLog(faultAt)
  const wrapped = wrappedFiles(real, log)
  const host: Host = {
    ...real,
    files: {
      ...real.files,
      ...wrapped,
      write: async (path, text) => {
        // By a timer, so that the number of these calls depends on the machine.
        if (path.endsWith('live.json')) return real.files.write(path, text)
        const fault = log.faultOf('write', path)
        if (fault === undefined) return real.files.write(path, text)
        return real.files.write(path, tornText(text, fault))
      },
      openAppend: async path => {
        log.enter('openAppend', path)
        return log.append(path, await real.files.openAppend(path))
      },
      openRead: path => {
        const file = real.files.openRead(path)
        const readAt = (offset: number, length: number) => {
          log.enter('readAt', path)
          return file.readAt(offset, length)
        }
        return { readAt, close: () => file.close() }
      },
      readLines: async function* (path, from) {
        log.enter('readLines', path)
        yield* real.files.readLines(path, from)
      },
      makeTemporaryFolder: async () => {
        const folder = await wrapped.makeTemporaryFolder()
        log.waiting.add(folder)
        return folder
      },
      keepTemporaryFolder: path => {
        if (log.waiting.delete(path)) log.kept.add(path)
        real.files.keepTemporaryFolder(path)
      },
      remove: async path => {
        await wrapped.remove(path)
        log.removed(path)
      },
      removeTemporaryFolder: async path => {
        const wasOurs = await wrapped.removeTemporaryFolder(path)
        log.removed(path)
        return wasOurs
      },
    },
    processes: { ...real.processes, run: program => log.track('run', program, () => real.processes.run(program)) },
    network: {
      ...real.network,
      request: (url, request) => log.track('request', url, () => real.network.request(url, request)),
    },
    clock: {
      ...real.clock,
      sleep: async (_, signal) => real.clock.sleep(0, signal),
      now: () => clockOf(real.clock.now()),
      timestamp: () => new Date(clockOf(real.clock.now())).toISOString(),
    },
    locks: {
      ...real.locks,
      take: async path => {
        log.enter('lock', path)
        const lock = await real.locks.take(path)
        if (!('release' in lock)) return lock
        // Fails after the release, as if the process ended there.
        return { release: () => lock.release().then(() => log.enter('release', path)) }
      },
    },
  }
  return Object.assign(log, { host })
}

function wrappedFiles(real: Host, log: CallLog): Pick<HostFiles, (typeof FILE_CALLS)[number]> {
  const calls = FILE_CALLS.map(name => [
    name,
    async (...args: unknown[]) => {
      log.enter(name, args[0])
      return (real.files[name] as (...args: unknown[]) => Promise<unknown>)(...args)
    },
  ])
  return Object.fromEntries(calls)
}

/** An error as Node throws it. */
export function systemError(code: string, path = ''): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: it went wrong, ${path}`), { code, errno: -1, syscall: 'test', path })
}

class CallLog {
  readonly calls: HostCall[] = []
  readonly faulted: HostCall[] = []
  readonly kept = new Set<string>()
  readonly waiting = new Set<string>()
  pending = 0
  readonly #counts = new Map<string, number>()
  readonly #faultAt: (call: HostCall) => Fault | undefined

  constructor(faultAt: (call: HostCall) => Fault | undefined) {
    this.#faultAt = faultAt
  }

  faultOf(name: string, subject: unknown): Fault | undefined {
    const nth = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, nth)
    const call = { name, nth, at: this.calls.length + 1, path: describeSubject(subject) }
    this.calls.push(call)
    const fault = this.#faultAt(call)
    if (fault !== undefined) this.faulted.push(call)
    return fault
  }

  enter(name: string, subject: unknown): void {
    const fault = this.faultOf(name, subject)
    if (fault !== undefined) throw errorOf(fault, describeSubject(subject))
  }

  async track<Value>(name: string, subject: unknown, call: () => Promise<Value>): Promise<Value> {
    this.enter(name, subject)
    this.pending++
    return call().finally(() => {
      this.pending--
    })
  }

  append(path: string, file: AppendFile): AppendFile {
    const log = this
    return {
      get size() {
        return file.size
      },
      append(text) {
        const fault = log.faultOf('append', path)
        // The rest of a line that could not be truncated.
        if (typeof fault === 'object') appendFileSync(path, text.slice(0, text.length / 2))
        if (fault !== undefined) throw errorOf(fault, path)
        file.append(text)
      },
      async close() {
        await file.close()
        log.enter('close', path)
      },
    }
  }

  removed(path: string): void {
    this.waiting.delete(path)
    this.kept.delete(path)
  }
}

/** Half of a text, then an error, as when the disk fills up. */
async function* tornText(text: string | AsyncIterable<string>, fault: Fault): AsyncGenerator<string> {
  if (typeof fault === 'object') {
    for await (const part of typeof text === 'string' ? [text] : text) yield part.slice(0, part.length / 2)
  }
  throw errorOf(fault, '')
}

function errorOf(fault: Fault, path: string): Error {
  return systemError(typeof fault === 'string' ? fault : fault.torn, path)
}

function describeSubject(subject: unknown): string {
  if (typeof subject === 'object' && subject !== null && 'command' in subject) return String(subject.command)
  return String(subject)
}
