import { join } from 'node:path'
import type { MappingNode } from 'js-yaml'
import { LogError } from './log.ts'
import { cannot, InvalidLogError } from './log-files.ts'
import { cleanUpLogs, withLock } from './log-locks.ts'
import { LogNames, type NumberedNames, slugOf } from './log-names.ts'
import { type AddOptions, type AddOutcome, inputsHash, LogWriter, type RunRef } from './log-writer.ts'
import type { LoggedRun } from './logged-run.ts'
import { isMappingNode, yamlText } from './yaml-nodes.ts'

/** A folder of logs: `.co/evals`. Several processes may write to it. */
export class LogFolder extends LogWriter {
  /** Serializes the work of this process; locks are for other processes. */
  #before: Promise<unknown> = Promise.resolve()
  /** Hash of the inputs of each log that was read: many names may start alike, and each log is read once. */
  readonly #inputs = new Map<string, string>()
  readonly #names = new LogNames(() => this.names())
  /** Removal of the leftovers of killed writers, once, before the first run is added. */
  #cleaned: Promise<void> | undefined

  /** Adds a run to the log of its conversation, or creates one. */
  async add(run: LoggedRun): Promise<RunRef> {
    const { written } = await this.addAll([run])
    return written[0] as RunRef
  }

  /** Adds runs to the logs of their conversations. Writes each log once. */
  addAll(runs: readonly LoggedRun[], options: AddOptions = {}): Promise<AddOutcome> {
    return this.#alone(async () => {
      await this.host.files.makeFolder(this.path).catch(cannot('write into', this.path))
      this.#cleaned ??= cleanUpLogs(this.path, this.host, name => this.#lockFile(name))
      await this.#cleaned
      const added = []
      for (const conversation of byInputs(runs)) {
        if (options.isOver?.()) break
        added.push(await this.#addConversation(conversation, options))
      }
      return {
        written: added.flatMap(({ written }) => written),
        known: added.reduce((sum, { known }) => sum + known, 0),
      }
    })
  }

  async #addConversation(runs: Conversation, options: AddOptions): Promise<AddOutcome> {
    for (const tried = new Set<string>(); ; ) {
      const name = await this.#nameFor(runs[0], tried)
      const added = await this.#locked(name, () => this.addRuns(name, runs, options), options.isOver)
      if (added) {
        if (added.written.length > 0) this.#know(name, runs[0])
        return added
      }
      if (options.isOver?.()) return { written: [], known: 0 }
      // Another process has created a log of another conversation there.
      tried.add(name)
      this.#inputs.delete(name)
      this.#names.forget()
    }
  }

  /** Adds a run to an existing log. */
  addTo(name: string, run: LoggedRun): Promise<RunRef> {
    return this.#alone(async () => {
      const added = await this.#locked(name, () => this.addRuns(name, [run], {}))
      if (!added) throw new LogError(`${this.fileOf(name)} now holds another conversation.`)
      return added.written[0] as RunRef
    })
  }

  /** Edits a log under its lock. */
  edit(name: string, change: (root: MappingNode) => void): Promise<void> {
    return this.#alone(() =>
      this.#locked(name, async () => {
        const { root, log } = (await this.content(name)) ?? {}
        if (!isMappingNode(root) || !log) throw new LogError(`Log ${name} not found in ${this.path}.`)
        change(root)
        await this.write(this.fileOf(name), yamlText(root))
      }),
    )
  }

  /** Returns the name of the conversation's log, else the first free name. */
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

  /** Maps the conversations among names that start alike to their first log. Reads each log once. */
  async #lookedAt(names: NumberedNames): Promise<ReadonlyMap<string, string>> {
    if (names.isLooked) return names.byInputs
    for (const name of names.inOrder()) {
      const inputs = await this.#inputsIn(name)
      if (inputs !== undefined && !names.byInputs.has(inputs)) names.byInputs.set(inputs, name)
    }
    names.isLooked = true
    return names.byInputs
  }

  /** Remembers a log that was written. */
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

  /** Whether a file is invalid, so that it can be set aside, or empty. */
  async #isBroken(name: string): Promise<boolean> {
    return this.content(name).then(
      content => content === undefined || content.root === undefined,
      error => error instanceof InvalidLogError,
    )
  }

  #lockFile(name: string): string {
    return join(this.path, `.${name}.lock`)
  }

  #locked<Value>(name: string, work: () => Promise<Value>, isOver?: () => boolean): Promise<Value | undefined> {
    return withLock(this.#lockFile(name), this.host, work, isOver).catch(error => {
      throw error.code === undefined ? error : new LogError(`Cannot write into ${this.path}: ${error.message}`)
    })
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#before.then(work)
    this.#before = done.catch(() => {})
    return done
  }
}

/** Runs of one conversation. */
type Conversation = readonly [LoggedRun, ...LoggedRun[]]

function byInputs(runs: readonly LoggedRun[]): Conversation[] {
  const conversations = new Map<string, [LoggedRun, ...LoggedRun[]]>()
  for (const run of runs) {
    const inputs = inputsHash(run)
    const others = conversations.get(inputs)
    if (others) others.push(run)
    else conversations.set(inputs, [run])
  }
  return [...conversations.values()]
}
