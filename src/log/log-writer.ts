import { join } from 'node:path'
import type { MappingNode } from 'js-yaml'
import { chunksOf } from '../lib/collections.ts'
import { sha256 } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import { addRun } from './edit-log.ts'
import { highestOf } from './log.ts'
import { cannot, InvalidLogError, type LogContent, LogFiles } from './log-files.ts'
import { removeRunDrafts } from './log-locks.ts'
import { type ConversationInputs, inputsOf, type LoggedRun } from './logged-run.ts'
import { runFileText } from './run-file.ts'
import { withCommentsIn } from './yaml-comments.ts'
import { nodeOf, yamlText } from './yaml-nodes.ts'

/** The log and number of a run. */
export interface RunRef {
  readonly name: string
  readonly run: number
}

export interface AddOptions {
  /** Skips runs whose attempt is logged already. */
  readonly onlyNew?: boolean
  /** Checked between writes: stops when it returns true. */
  isOver?(): boolean
}

export interface AddOutcome {
  readonly written: readonly RunRef[]
  /** Number of runs that were logged already. */
  readonly known: number
}

/** Writes log files. The caller holds the lock of the log. */
export class LogWriter extends LogFiles {
  readonly #warn: (message: string) => void

  constructor(path: string, host: Host, warn: (message: string) => void) {
    super(path, host)
    this.#warn = warn
  }

  /** Adds runs of one conversation to a log and writes it once. Returns undefined if the log has another conversation. */
  protected async addRuns(
    name: string,
    runs: readonly LoggedRun[],
    options: AddOptions,
  ): Promise<AddOutcome | undefined> {
    const content = await this.content(name).catch(async error => {
      if (!(error instanceof InvalidLogError)) throw error
      await this.#setAside(name, error)
      return undefined
    })
    const [first] = runs
    if (content?.root && !(first && content.log && inputsHash(content.log) === inputsHash(first))) return undefined
    const root = (content?.root ?? withCommentsIn(content?.text ?? '', nodeOf({}))) as MappingNode
    const added = { written: [] as RunRef[], known: 0 }
    try {
      await this.#writeRuns(name, runs, { root, log: content?.log }, added, options)
    } finally {
      // Also after an error: a run with a file must be in the log.
      if (added.written.length > 0) await this.write(this.fileOf(name), yamlText({ ...root, style: BLOCK }))
    }
    return added
  }

  async #writeRuns(
    name: string,
    runs: readonly LoggedRun[],
    { root, log }: { readonly root: MappingNode; readonly log: LogContent['log'] },
    added: { readonly written: RunRef[]; known: number },
    { onlyNew = false, isOver }: AddOptions,
  ): Promise<void> {
    await removeRunDrafts(join(this.path, name), this.host)
    const files = await this.runNumbers(name)
    const listed = log?.runs ?? 0
    const numbers = onlyNew ? await this.runsByAttempt(name, files) : new Map<string, number>()
    const numberOf = ({ attempt = '' }: LoggedRun) => numbers.get(attempt)
    const fresh = inOrder(runs, numberOf).filter(run => (numberOf(run) ?? Number.POSITIVE_INFINITY) > listed)
    added.known = runs.length - fresh.length
    let last = highestOf([listed, ...files])
    for (const some of chunksOf(fresh)) {
      if (isOver?.()) return
      // A killed writer leaves run files that are not in the log yet: they keep their numbers.
      const numbered = some.map(run => ({ run, number: numberOf(run) ?? ++last, isThere: numberOf(run) !== undefined }))
      const missing = numbered.filter(({ isThere }) => !isThere)
      await Promise.all(missing.map(({ run, number }) => this.write(this.runFile(name, number), runFileText(run))))
      for (const { run, number } of numbered) {
        addRun(root, name, run, number)
        added.written.push({ name, run: number })
      }
    }
  }

  async #setAside(name: string, { message }: InvalidLogError): Promise<void> {
    const file = this.fileOf(name)
    const names = await this.host.files.listNames(this.path)
    let number = 1
    while (names.includes(`${name}.yaml.corrupt-${number}`)) number++
    await this.host.files.rename(file, `${file}.corrupt-${number}`).catch(cannot('set aside', file))
    this.#warn(`${file} cannot be read (${message}): renamed to ${name}.yaml.corrupt-${number}`)
  }

  protected write(path: string, text: string): Promise<void> {
    return this.host.files.write(path, text).catch(cannot('write', path))
  }
}

/** Sorts runs that have a file first, by its number. */
function inOrder(runs: readonly LoggedRun[], numberOf: (run: LoggedRun) => number | undefined): readonly LoggedRun[] {
  const placeOf = (run: LoggedRun) => numberOf(run) ?? Number.MAX_SAFE_INTEGER
  return runs.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const BLOCK = (nodeOf({ a: 0 }) as MappingNode).style

/** Identifies a conversation by its inputs. */
export function inputsHash(conversation: ConversationInputs): string {
  return sha256(JSON.stringify(inputsOf(conversation)))
}
