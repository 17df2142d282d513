import { join } from 'node:path'
import type { MappingNode } from 'js-yaml'
import { sha256 } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import { addRun } from './add-run.ts'
import { highestOf } from './log.ts'
import { BrokenLog, cannot, LogFiles } from './log-files.ts'
import { LogNames, type NumberedNames } from './log-names.ts'
import { inputsOf, type LoggedRun } from './logged-run.ts'
import { NoLog } from './no-log.ts'
import { runFileText } from './run-file.ts'
import { slugOf } from './slug.ts'
import { withLock } from './with-lock.ts'
import { isMappingNode, nodeOf, yamlText } from './yaml-nodes.ts'

/** Where a run went. */
export interface Written {
  readonly name: string
  readonly run: number
}

/** A folder of logs: `.co/evals`. Several processes may write to it. */
export class LogFolder extends LogFiles {
  readonly #warn: (message: string) => void
  /** A process does one thing at a time here: its locks are for the others. */
  #before: Promise<unknown> = Promise.resolve()
  /** A hash of what the user says in each log that was looked at: many may begin alike, and each is read once. */
  readonly #inputs = new Map<string, string>()
  readonly #names = new LogNames(() => this.names())

  constructor(path: string, host: Host, warn: (message: string) => void) {
    super(path, host)
    this.#warn = warn
  }

  /** Adds a run to the log of its conversation, or begins one. Nothing of another conversation is touched. */
  add(run: LoggedRun): Promise<Written> {
    return this.#alone(async () => {
      await this.host.makeFolder(this.path).catch(cannot('write into', this.path))
      for (const tried = new Set<string>(); ; ) {
        const name = await this.#nameFor(run, tried)
        const written = await this.#locked(name, () => this.#addTo(name, run))
        if (written) {
          this.#know(name, run)
          return written
        }
        // Somebody else has begun another conversation there meanwhile.
        tried.add(name)
        this.#inputs.delete(name)
        this.#names.forget()
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
        const { root, log } = (await this.content(name)) ?? {}
        if (!isMappingNode(root) || !log) throw new NoLog(`There is no log ${name} in ${this.path}.`)
        change(root)
        await this.#write(this.fileOf(name), yamlText(root))
      }),
    )
  }

  /** The log of the same conversation, else the first name that is free. */
  async #nameFor(run: LoggedRun, tried: ReadonlySet<string>): Promise<string> {
    const slug = slugOf(run.turns[0]?.input ?? '')
    const names = await this.#names.of(slug)
    const known = (await this.#lookedAt(names)).get(inputsHash(run))
    if (known !== undefined) return known
    for (let number = names.free; ; number++) {
      const name = names.numbers.get(number)
      const isFree = name === undefined || (!this.#inputs.has(name) && (await this.#isBroken(name)))
      const free = name ?? (number === 1 ? slug : `${slug}_${number}`)
      if (isFree && !tried.has(free)) return free
      if (!isFree && number === names.free) names.free++
    }
  }

  /** The first name of each conversation among names that begin alike: each log is read once. */
  async #lookedAt(names: NumberedNames): Promise<ReadonlyMap<string, string>> {
    if (names.isLooked) return names.byInputs
    for (const name of names.inOrder()) {
      const inputs = await this.#inputsIn(name)
      if (inputs !== undefined && !names.byInputs.has(inputs)) names.byInputs.set(inputs, name)
    }
    names.isLooked = true
    return names.byInputs
  }

  /** A log that is there now. */
  #know(name: string, run: LoggedRun): void {
    if (this.#inputs.has(name)) return
    const inputs = inputsHash(run)
    this.#inputs.set(name, inputs)
    this.#names.add(name, inputs)
  }

  async #inputsIn(name: string): Promise<string | undefined> {
    const log = this.#inputs.has(name) ? undefined : (await this.content(name).catch(() => undefined))?.log
    if (log) this.#inputs.set(name, inputsHash(log))
    return this.#inputs.get(name)
  }

  /** Whether a file can be set aside, or holds nothing. */
  async #isBroken(name: string): Promise<boolean> {
    return this.content(name).then(
      content => content === undefined || content.root === undefined,
      error => error instanceof BrokenLog,
    )
  }

  /** Undefined where another conversation is there. */
  async #addTo(name: string, run: LoggedRun): Promise<Written | undefined> {
    const content = await this.content(name).catch(async error => {
      if (!(error instanceof BrokenLog)) throw error
      await this.#setAside(name, error)
      return undefined
    })
    if (content?.root && !(content.log && inputsHash(content.log) === inputsHash(run))) return undefined
    const number = highestOf([content?.log?.runs ?? 0, ...(await this.runNumbers(name))]) + 1
    const root = (content?.root ?? nodeOf({})) as MappingNode
    addRun(root, name, run, number)
    await this.#write(this.runFile(name, number), runFileText(run))
    await this.#write(this.fileOf(name), yamlText({ ...root, style: BLOCK }))
    return { name, run: number }
  }

  async #setAside(name: string, { message }: BrokenLog): Promise<void> {
    const file = this.fileOf(name)
    const names = await this.host.names(this.path)
    let number = 1
    while (names.includes(`${name}.yaml.corrupt-${number}`)) number++
    await this.host.rename(file, `${file}.corrupt-${number}`).catch(cannot('set aside', file))
    this.#warn(`${file} cannot be read (${message}): it is kept as ${name}.yaml.corrupt-${number}`)
  }

  #write(path: string, text: string): Promise<void> {
    return this.host.write(path, text).catch(cannot('write', path))
  }

  #locked<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return withLock(join(this.path, `.${name}.lock`), this.host, work).catch(error => {
      throw error.code === undefined ? error : new NoLog(`Cannot write into ${this.path}: ${error.message}`)
    })
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#before.then(work)
    this.#before = done.catch(() => {})
    return done
  }
}

const BLOCK = (nodeOf({ a: 0 }) as MappingNode).style

function inputsHash(said: Parameters<typeof inputsOf>[0]): string {
  return sha256(JSON.stringify(inputsOf(said)))
}
