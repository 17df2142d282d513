import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import type { ReadFile } from '../model/host-files.ts'
import type { Result } from '../model/result.ts'
import { type RunInfo, unlistedAttempts } from '../model/run-info.ts'
import type { ResultFacts } from '../model/run-reader.ts'
import { recordIn } from './read-records.ts'
import type { OpenRun } from './read-run.ts'
import { recordedResultSchema } from './recorded-result.ts'
import { ResultIndex } from './result-index.ts'
import { cannotRead, RunError } from './run-error.ts'
import { readRunInfo } from './run-folder.ts'

/** The records of a run that a process is writing: each update reads only what was added. */
export class FollowedRun implements OpenRun {
  readonly results_file: string
  readonly #folder: string
  readonly #host: Host
  readonly #file: ReadFile
  readonly #index: ResultIndex
  #info: RunInfo | undefined
  /** Facts of `run.json` as it was read. */
  #infoFacts = ''
  /** The end of the last complete line. */
  #end = 0
  damaged = 0

  private constructor(folder: string, host: Host) {
    this.#folder = folder
    this.#host = host
    this.results_file = join(folder, 'results.jsonl')
    this.#file = host.files.openRead(this.results_file)
    this.#index = new ResultIndex(({ offset, length }) => this.#file.readAt(offset, length))
  }

  static async open(folder: string, host: Host): Promise<FollowedRun> {
    const run = new FollowedRun(folder, host)
    await run.update()
    return run
  }

  /** Reads what was added. Returns whether anything was. Throws if the records are not those of before. */
  async update(): Promise<boolean> {
    // Attempts are planned before they are made: `run.json` as it is now has all that were recorded up to this size.
    const size = (await this.#host.files.facts(this.results_file).catch(cannotRead(this.results_file)))?.size ?? 0
    if (size < this.#end) throw new RunError(`${this.results_file} has become shorter.`)
    const isPlanned = await this.#readInfo()
    if (size === this.#end) return isPlanned
    const before = this.#end
    await this.#readResults(size)
    return isPlanned || this.#end > before
  }

  async #readInfo(): Promise<boolean> {
    const path = join(this.#folder, 'run.json')
    const facts = JSON.stringify(await this.#host.files.facts(path).catch(cannotRead(path)))
    if (this.#info && facts === this.#infoFacts) return false
    const info = await readRunInfo(this.#folder, this.#host)
    if (!info) throw new RunError(`${path} is missing.`)
    this.#info = info
    this.#infoFacts = facts
    this.#index.plan(info.attempts)
    return true
  }

  async #readResults(size: number): Promise<void> {
    try {
      for await (const line of this.#host.files.readLines(this.results_file, this.#end)) {
        const end = line.offset + line.length + 1
        if (end > size) break
        const record = recordIn(line.text, recordedResultSchema())
        if (record !== undefined) this.#index.add(record, line)
        else if (line.text.trim() !== '') this.damaged++
        this.#end = end
      }
    } catch (error) {
      cannotRead(this.results_file)(error as Error)
    }
  }

  get info(): RunInfo {
    if (!this.#info) throw new RangeError('the run is not read yet')
    return this.#info
  }

  get planned(): number {
    return this.info.attempts.length + unlistedAttempts(this.info)
  }

  get planned_tests(): number {
    return this.info.tests
  }

  facts(): Iterable<ResultFacts> {
    return this.#index.facts()
  }

  /** The facts of the results, in the order in which they were recorded. */
  recorded(): readonly ResultFacts[] {
    return this.#index.recorded()
  }

  result(attemptId: string): Result | undefined {
    return this.#index.result(attemptId)
  }

  results(): Iterable<Result> {
    return this.#index.results()
  }

  close(): void {
    this.#file.close()
  }
}
