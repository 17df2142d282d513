import { join } from 'node:path'
import type { MappingNode } from 'js-yaml'
import { sha256 } from '../lib/sha256.ts'
import { decodeUtf8 } from '../lib/utf8.ts'
import type { Host } from '../model/host.ts'
import { addRun } from './add-run.ts'
import { type Log, readLog } from './log.ts'
import { inputsOf, type LoggedRun } from './logged-run.ts'
import { NoLog } from './no-log.ts'
import { type RunFile, readRunFile, runFileText } from './run-file.ts'
import { slugOf } from './slug.ts'
import { withLock } from './with-lock.ts'
import { NotYaml, nodeOf, plainValue, readMapping, yamlText } from './yaml-nodes.ts'

/** Where a run went. */
export interface Written {
  readonly name: string
  readonly run: number
}

/** What stands in the file of a log. */
interface Content {
  readonly root: MappingNode | undefined
  /** Undefined where there is no log in it. */
  readonly log: Log | undefined
}

/** A folder of logs: `.co/evals`. Several processes may write to it. */
export class LogFolder {
  readonly path: string
  readonly #host: Host
  readonly #warn: (message: string) => void
  /** A process does one thing at a time here: its locks are for the others. */
  #before: Promise<unknown> = Promise.resolve()
  /** A hash of what the user says in each log that was looked at: many may begin alike, and each is read once. */
  readonly #inputs = new Map<string, string>()

  constructor(path: string, host: Host, warn: (message: string) => void) {
    this.path = path
    this.#host = host
    this.#warn = warn
  }

  /** The names of all files that could be logs. */
  async names(): Promise<string[]> {
    const names = await this.#host.names(this.path).catch(cannot('read', this.path))
    return names.flatMap(name =>
      name.endsWith('.yaml') && !name.startsWith('.') ? name.slice(0, -'.yaml'.length) : [],
    )
  }

  fileOf(name: string): string {
    return join(this.path, `${name}.yaml`)
  }

  /** Undefined where there is no such file, or no log in it. Throws where it cannot be read. */
  async read(name: string): Promise<Log | undefined> {
    return (await this.#content(name))?.log
  }

  /** The file of one run; undefined where there is none. */
  async readRun(name: string, run: number): Promise<RunFile | undefined> {
    const text = await this.#text(this.#runFile(name, run))
    return text === undefined ? undefined : readRunFile(text)
  }

  /** Adds a run to the log of its conversation, or begins one. Nothing of another conversation is touched. */
  add(run: LoggedRun): Promise<Written> {
    return this.#alone(async () => {
      await this.#host.makeFolder(this.path).catch(cannot('write into', this.path))
      for (const tried = new Set<string>(); ; ) {
        const name = await this.#nameFor(run, tried)
        const written = await this.#locked(name, () => this.#addTo(name, run))
        if (written) return written
        // Somebody else has begun another conversation there meanwhile.
        tried.add(name)
        this.#inputs.delete(name)
      }
    })
  }

  /** Adds a run to a log that was read before. */
  addTo(name: string, run: LoggedRun): Promise<Written> {
    return this.#alone(async () => {
      const written = await this.#locked(name, () => this.#addTo(name, run))
      if (!written) throw new NoLog(`${this.fileOf(name)} has become the log of another conversation meanwhile.`)
      return written
    })
  }

  /** Changes a log, while nobody else does. */
  edit(name: string, change: (root: MappingNode) => void): Promise<void> {
    return this.#alone(() =>
      this.#locked(name, async () => {
        const { root, log } = (await this.#content(name)) ?? {}
        if (!root || !log) throw new NoLog(`There is no log ${name} in ${this.path}.`)
        change(root)
        await this.#write(this.fileOf(name), yamlText(root))
      }),
    )
  }

  /** The log of the same conversation, else the first name that is free. */
  async #nameFor(run: LoggedRun, tried: ReadonlySet<string>): Promise<string> {
    const slug = slugOf(run.turns[0]?.input ?? '')
    const numbers = new Map((await this.names()).flatMap(name => numbered(name, slug)))
    const inputs = inputsHash(run)
    for (const [, name] of [...numbers].sort(([a], [b]) => a - b)) {
      if ((await this.#inputsIn(name)) === inputs) return name
    }
    for (let number = 1; ; number++) {
      const name = numbers.get(number)
      const isFree = name === undefined || (!this.#inputs.has(name) && (await this.#isBroken(name)))
      const free = name ?? (number === 1 ? slug : `${slug}_${number}`)
      if (isFree && !tried.has(free)) return free
    }
  }

  async #inputsIn(name: string): Promise<string | undefined> {
    const log = this.#inputs.has(name) ? undefined : (await this.#content(name).catch(() => undefined))?.log
    if (log) this.#inputs.set(name, inputsHash(log))
    return this.#inputs.get(name)
  }

  /** Whether a file can be set aside, or holds nothing. */
  async #isBroken(name: string): Promise<boolean> {
    return this.#content(name).then(
      content => content === undefined || content.root === undefined,
      error => error instanceof BrokenLog,
    )
  }

  /** Undefined where another conversation is there. */
  async #addTo(name: string, run: LoggedRun): Promise<Written | undefined> {
    const content = await this.#content(name).catch(async error => {
      if (!(error instanceof BrokenLog)) throw error
      await this.#setAside(name, error)
      return undefined
    })
    if (content?.root && !(content.log && inputsHash(content.log) === inputsHash(run))) return undefined
    const number = Math.max(content?.log?.runs ?? 0, ...(await this.#runNumbers(name))) + 1
    const root = content?.root ?? (nodeOf({}) as MappingNode)
    addRun(root, name, run, number)
    await this.#write(this.#runFile(name, number), runFileText(run))
    await this.#write(this.fileOf(name), yamlText({ ...root, style: BLOCK }))
    return { name, run: number }
  }

  async #setAside(name: string, { message }: BrokenLog): Promise<void> {
    const file = this.fileOf(name)
    const names = await this.#host.names(this.path)
    let number = 1
    while (names.includes(`${name}.yaml.corrupt-${number}`)) number++
    await this.#host.rename(file, `${file}.corrupt-${number}`).catch(cannot('set aside', file))
    this.#warn(`${file} cannot be read (${message}): it is kept as ${name}.yaml.corrupt-${number}`)
  }

  /** The numbers of the runs that have a file. */
  async #runNumbers(name: string): Promise<number[]> {
    const names = await this.#host.names(join(this.path, name)).catch(cannot('read', join(this.path, name)))
    return names.flatMap(file => Number(/^run_(\d{1,15})\.ya?ml$/.exec(file)?.[1] ?? 0))
  }

  async #content(name: string): Promise<Content | undefined> {
    const text = await this.#text(this.fileOf(name))
    if (text === undefined) return undefined
    try {
      const root = readMapping(text)
      return { root, log: root && readLog(name, plainValue(root)) }
    } catch (error) {
      throw error instanceof NotYaml ? new BrokenLog(error.message) : error
    }
  }

  async #text(path: string): Promise<string | undefined> {
    const bytes = await this.#host.readBytes(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw new NoLog(`Cannot read ${path}: ${error.message}`)
    })
    const decoded = bytes && decodeUtf8(bytes)
    if (decoded && 'invalidAt' in decoded) throw new BrokenLog('it is not UTF-8')
    return decoded?.text
  }

  #runFile(name: string, run: number): string {
    return join(this.path, name, `run_${run}.yaml`)
  }

  #write(path: string, text: string): Promise<void> {
    return this.#host.write(path, text).catch(cannot('write', path))
  }

  #locked<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return withLock(join(this.path, `.${name}.lock`), this.#host, work).catch(error => {
      throw error.code === undefined ? error : new NoLog(`Cannot write into ${this.path}: ${error.message}`)
    })
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#before.then(work)
    this.#before = done.catch(() => {})
    return done
  }
}

/** A file that is no YAML. */
export class BrokenLog extends NoLog {}

const BLOCK = (nodeOf({ a: 0 }) as MappingNode).style

function cannot(what: string, path: string): (error: Error) => never {
  return error => {
    throw new NoLog(`Cannot ${what} ${path}: ${error.message}`)
  }
}

/** `[1, 'hello']`, `[2, 'hello_2']`: the number of a name among those of one slug. */
function numbered(name: string, slug: string): [number, string][] {
  if (name === slug) return [[1, name]]
  const number = name.startsWith(`${slug}_`) ? name.slice(slug.length + 1) : ''
  return /^[1-9]\d{0,14}$/.test(number) && number !== '1' ? [[Number(number), name]] : []
}

function inputsHash(said: Parameters<typeof inputsOf>[0]): string {
  return sha256(JSON.stringify(inputsOf(said)))
}
