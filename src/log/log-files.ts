import { join } from 'node:path'
import type { Node } from 'js-yaml'
import { chunksOf } from '../lib/collections.ts'
import { decodeUtf8 } from '../lib/text/unicode.ts'
import type { Host } from '../model/host.ts'
import { type Log, LogError, readLog } from './log.ts'
import { ATTEMPT_BYTES, attemptIn, type RunFile, readRunFile } from './run-file.ts'
import { plainValue, readYaml, YamlError } from './yaml-nodes.ts'

/** Content of a log file. */
export interface LogContent {
  /** Undefined if the file is empty. */
  readonly root: Node | undefined
  readonly text: string
  /** Undefined if the file is not a log. */
  readonly log: Log | undefined
}

/** Reads the files in a folder of logs. */
export class LogFiles {
  readonly path: string
  protected readonly host: Host
  /** Attempts by run file; these files never change. */
  readonly #attempts = new Map<string, string>()

  constructor(path: string, host: Host) {
    this.path = path
    this.host = host
  }

  /** Returns the names of all files that may be logs. */
  async names(): Promise<string[]> {
    const names = await this.host.files.listNames(this.path).catch(cannot('read', this.path))
    return names.flatMap(name =>
      name.endsWith('.yaml') && !name.startsWith('.') ? name.slice(0, -'.yaml'.length) : [],
    )
  }

  fileOf(name: string): string {
    return join(this.path, `${name}.yaml`)
  }

  /** Reads a log; undefined if the file does not exist or is not a log. Throws if it cannot be read. */
  async read(name: string): Promise<Log | undefined> {
    return (await this.content(name))?.log
  }

  /** Reads the file of a run; undefined if missing. */
  async readRun(name: string, run: number): Promise<RunFile | undefined> {
    const text = await this.#text(this.runFile(name, run)).catch(error => {
      if (!(error instanceof InvalidLogError)) throw error
      return ''
    })
    return text === undefined ? undefined : readRunFile(text)
  }

  /** Returns the numbers of the runs that have a file. */
  protected async runNumbers(name: string): Promise<number[]> {
    const names = await this.host.files.listNames(join(this.path, name)).catch(cannot('read', join(this.path, name)))
    return names.flatMap(file => Number(/^run_(\d{1,15})\.ya?ml$/.exec(file)?.[1] ?? 0))
  }

  /** Maps attempts to run numbers, by the run files; to the newest if there are several. */
  protected async runsByAttempt(name: string, runs: readonly number[]): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    for (const some of chunksOf(runs.toSorted((a, b) => a - b))) {
      const attempts = await Promise.all(some.map(run => this.#attemptOf(this.runFile(name, run))))
      for (const [index, attempt] of attempts.entries()) if (attempt !== '') found.set(attempt, some[index] ?? 0)
    }
    return found
  }

  /** Returns the attempt of a run file; empty if it names none. */
  async #attemptOf(file: string): Promise<string> {
    const known = this.#attempts.get(file)
    if (known !== undefined) return known
    const bytes = await this.#bytes(file, ATTEMPT_BYTES).catch(() => new Uint8Array())
    const attempt = attemptIn(new TextDecoder().decode(bytes)) ?? ''
    this.#attempts.set(file, attempt)
    return attempt
  }

  protected async content(name: string): Promise<LogContent | undefined> {
    const text = await this.#text(this.fileOf(name))
    if (text === undefined) return undefined
    try {
      const root = readYaml(text)
      return { root, text, log: readLog(name, plainValue(root)) }
    } catch (error) {
      throw error instanceof YamlError ? new InvalidLogError(error.message) : error
    }
  }

  async #text(path: string): Promise<string | undefined> {
    const bytes = await this.#bytes(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw new LogError(`Cannot read ${path}: ${error.message}`)
    })
    const decoded = bytes && decodeUtf8(bytes)
    if (decoded && 'invalidAt' in decoded) throw new InvalidLogError('it is not UTF-8')
    return decoded?.text
  }

  /** Rejects pipes and devices: reading them may never end. */
  async #bytes(path: string, most?: number): Promise<Uint8Array> {
    if ((await this.host.files.stat(path))?.kind === 'other') throw new Error('it is not a regular file')
    return this.host.files.read(path, most)
  }

  protected runFile(name: string, run: number): string {
    return join(this.path, name, `run_${run}.yaml`)
  }
}

/** A log file that is not valid YAML. */
export class InvalidLogError extends LogError {}

/** Rethrows an error of the host as a `LogError` that names the path. */
export function cannot(what: string, path: string): (error: Error) => never {
  return error => {
    throw new LogError(`Cannot ${what} ${path}: ${error.message}`)
  }
}
