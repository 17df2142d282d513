import { join } from 'node:path'
import { type Answer, type AnswerRecord, answerRecordSchema } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { AppendFile, ReadFile } from '../model/host-files.ts'
import type { Result } from '../model/result.ts'
import { plannedAttempts, type RunInfo, runInfoSchema, unlistedAttempts } from '../model/run-info.ts'
import type { ResultFacts, RunReader } from '../model/run-reader.ts'
import { readRecords, recordIn } from './read-records.ts'
import { recordedResultSchema } from './recorded-result.ts'
import { ResultIndex, SettledAnswers } from './result-index.ts'
import { RunError, readIfExists } from './run-error.ts'

/** Converts a value to JSON and redacts secrets. */
export type ToJson = (value: unknown) => string

/** The folder of a run in progress. Answers and results are written before their attempt counts as finished. */
export class RunFolder implements RunReader {
  readonly path: string
  /** Content of `run.json`; set by `begin`. */
  info!: RunInfo
  /** The newest result of each attempt. */
  readonly index: ResultIndex
  readonly #answers: AppendFile
  readonly #results: AppendFile
  /** Lines of answers that are not written yet. */
  #freeAnswers = ''
  readonly #known = new Map<string, Answer>()
  /** Number of answers per attempt when the run was opened. */
  readonly #arrived = new Map<string, number>()
  readonly #toJson: ToJson
  readonly #release: () => Promise<void>
  readonly #host: Host

  readonly #run_id: string

  private constructor(path: string, parts: Parts, host: Host) {
    this.path = path
    this.#run_id = parts.run_id
    this.#host = host
    this.#answers = parts.answers
    this.#results = parts.results
    this.#toJson = parts.toJson
    this.#release = parts.release
    this.index = new ResultIndex(({ offset, length }) => parts.reader.readAt(offset, length))
  }

  get planned(): number {
    return this.info.attempts.length + unlistedAttempts(this.info)
  }

  get planned_tests(): number {
    return this.info.tests
  }

  facts(): Iterable<ResultFacts> {
    return this.index.facts()
  }

  result(attemptId: string): Result | undefined {
    return this.index.result(attemptId)
  }

  results(): Iterable<Result> {
    return this.index.results()
  }

  /** Opens the files of a new or resumed run, and locks them. */
  static async open(path: string, run_id: string, toJson: ToJson, host: Host): Promise<RunFolder> {
    return RunFolder.#open(path, run_id, toJson, host).catch(cannotKeep(path))
  }

  static async #open(path: string, run_id: string, toJson: ToJson, host: Host): Promise<RunFolder> {
    await host.files.makeFolder(path)
    const lock = await host.locks.take(join(path, 'lock'))
    if ('holder' in lock) {
      const file = join(path, 'lock')
      throw new RunError(`Run ${run_id} is locked by ${lock.holder}. If that process has ended, remove ${file}.`)
    }
    const { release } = lock
    const opened: AppendFile[] = []
    const open = async (name: string) => {
      const file = await host.files.openAppend(join(path, name))
      opened.push(file)
      return file
    }
    try {
      const answers = await open('answers.jsonl')
      const results = await open('results.jsonl')
      const reader = host.files.openRead(join(path, 'results.jsonl'))
      return new RunFolder(path, { run_id, answers, results, reader, toJson, release }, host)
    } catch (error) {
      await closeAll(opened, release).catch(() => {})
      throw error
    }
  }

  /** Writes `run.json`. Returns the recorded attempts that are no longer part of the plan. */
  async begin(info: RunInfo): Promise<readonly ResultFacts[]> {
    await this.#writeInfo(info)
    return this.index.plan(info.attempts)
  }

  /** Adds to `run.json` how the run ended, or what changed meanwhile. */
  async amend(
    facts: Partial<Pick<RunInfo, 'stopped' | 'changed' | 'written' | 'decisions' | 'late_attempts'>>,
  ): Promise<void> {
    await this.#writeInfo({ ...this.info, ...facts })
  }

  /** Adds attempts to the plan, before they are made. */
  async extendPlan(attempts: readonly Pick<Attempt, 'index' | 'id'>[]): Promise<void> {
    const known = new Set(this.info.attempts.map(([, id]) => id))
    const more = attempts.filter(({ id }) => !known.has(id)).map(({ index, id }): [number, string] => [index, id])
    if (more.length > 0) await this.#plan([...this.info.attempts, ...more])
  }

  /** Removes attempts without a result from the plan: the run is decided without them. */
  async trimPlan(): Promise<void> {
    await this.#plan(this.info.attempts.filter(([, id]) => this.index.has(id)))
  }

  async #plan(attempts: RunInfo['attempts']): Promise<void> {
    const planned_attempts = Math.min(plannedAttempts(this.info), attempts.length)
    await this.#writeInfo({ ...this.info, attempts, planned_attempts })
    this.index.plan(attempts)
  }

  async #writeInfo(info: RunInfo): Promise<void> {
    const text = this.#toJson(info)
    await this.#host.files.write(join(this.path, 'run.json'), `${text}\n`).catch(cannotKeep(this.path))
    this.info = text === JSON.stringify(info) ? info : JSON.parse(text)
  }

  /** Number of unreadable lines; their attempts are made again. */
  damaged_lines = 0

  /** Reads the existing records. */
  async readBack(): Promise<void> {
    const host = this.#host
    const count = () => this.damaged_lines++
    const settled = new SettledAnswers()
    const results = join(this.path, 'results.jsonl')
    for await (const { record, line } of readRecords(results, recordedResultSchema(), host, count)) {
      if (record.run_id !== this.#run_id) {
        count()
        continue
      }
      this.index.add(record, line)
      settled.addResult(record)
    }
    for await (const { record } of readRecords(join(this.path, 'answers.jsonl'), answerRecordSchema(), host, count)) {
      const { attempt_id, answer } = record
      this.#arrived.set(attempt_id, Math.max(this.answersTo(attempt_id) + 1, answer.answer_number ?? 1))
      const isSettled = settled.has(record)
      // The answer of a newer try, not judged yet.
      if (!isSettled) this.index.delete(attempt_id)
      // An answer that could not be judged is judged again with its attempt.
      if (!isSettled || this.index.factsOf(attempt_id)?.is_replaceable) this.#known.set(attempt_id, answer)
    }
  }

  /** An answer that was not judged yet, or could not be. */
  answerTo(attemptId: string): Answer | undefined {
    return this.#known.get(attemptId)
  }

  /** The number of recorded answers to an attempt. */
  answersTo(attemptId: string): number {
    return this.#arrived.get(attemptId) ?? 0
  }

  /** Drops results of attempts that are made again. */
  forget(attemptIds: Iterable<string>): void {
    for (const id of attemptIds) this.index.delete(id)
  }

  /** An answer that `isFree` is written with the next results: if it is lost, it is given again. */
  addAnswer(record: AnswerRecord, isFree = false): void {
    this.#freeAnswers += `${this.#toJson(record)}\n`
    if (!isFree) this.#writeAnswers()
  }

  #writeAnswers(): void {
    const lines = this.#freeAnswers
    // Never written again: if it fails, the last line of the file may be incomplete.
    this.#freeAnswers = ''
    if (lines !== '') this.#answers.append(lines)
  }

  /** Appends all results or none, after their answers. Returns their lines, without the newlines. */
  addResults(results: readonly Result[]): readonly string[] {
    const lines = results.map(result => this.#toJson(result))
    this.#writeAnswers()
    let offset = this.#results.size
    const text = [...lines, ''].join('\n')
    this.#results.append(text)
    const isAscii = this.#results.size - offset === text.length
    for (const [at, result] of results.entries()) {
      const line = lines[at] as string
      const length = isAscii ? line.length : Buffer.byteLength(line)
      this.index.add(result, { offset, length })
      offset += length + 1
    }
    return lines
  }

  #closed: Promise<void> | undefined

  /** Closes the files once, however often it is called. */
  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    try {
      this.#writeAnswers()
    } finally {
      await closeAll([this.#answers, this.#results], this.#release)
    }
  }
}

/** Closes all files and releases the lock, even if one of them fails. */
async function closeAll(files: readonly AppendFile[], release: () => Promise<void>): Promise<void> {
  const closed = await Promise.allSettled(files.map(file => file.close()))
  await release()
  for (const each of closed) if (each.status === 'rejected') throw each.reason
}

function cannotKeep(path: string): (error: Error) => never {
  return error => {
    throw error instanceof RunError ? error : new RunError(`Cannot write records to ${path}: ${error.message}`)
  }
}

interface Parts {
  readonly run_id: string
  readonly reader: ReadFile
  readonly answers: AppendFile
  readonly results: AppendFile
  readonly toJson: ToJson
  readonly release: () => Promise<void>
}

/** Reads `run.json`; undefined if missing. */
export async function readRunInfo(folder: string, host: Host): Promise<RunInfo | undefined> {
  const bytes = await readIfExists(join(folder, 'run.json'), host)
  if (!bytes) return undefined
  const info = recordIn(new TextDecoder().decode(bytes), runInfoSchema())
  if (!info) throw new RunError(`${join(folder, 'run.json')} is damaged.`)
  return info
}
