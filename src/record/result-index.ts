import { compositeKey, InternPool } from '../lib/collections.ts'
import type { AnswerRecord } from '../model/answer.ts'
import type { Result } from '../model/result.ts'
import { factsOf, type ResultFacts, testKey } from '../model/run-reader.ts'
import { cannotRead } from './run-error.ts'

interface Place {
  readonly offset: number
  readonly length: number
}

interface Entry extends Place {
  readonly index: number
  readonly facts: ResultFacts
}

type PlannedAttempts = readonly (readonly [index: number, attemptId: string])[]

/** The newest result of each attempt: its offset in the file, and the facts that summaries need. */
export class ResultIndex {
  #order: PlannedAttempts | undefined
  #planned: ReadonlySet<string> | undefined
  readonly #entries = new Map<string, Entry>()
  readonly #read: (place: Place) => string
  readonly #shared = new InternPool()

  constructor(read: (place: Place) => string) {
    this.#read = read
  }

  /** Restricts the index to these attempts. Returns the facts of the others. */
  plan(attempts: PlannedAttempts): readonly ResultFacts[] {
    this.#order = attempts
    const planned = new Set(attempts.map(([, id]) => id))
    this.#planned = planned
    const others = [...this.#entries].filter(([id]) => !planned.has(id))
    for (const [id] of others) this.#entries.delete(id)
    return others.map(([, { facts }]) => facts)
  }

  add(result: Result, { offset, length }: Place): void {
    const { attempt_id, index } = result
    if (this.#planned && !this.#planned.has(attempt_id)) return
    // The newest result comes last, even if it replaces another.
    this.#entries.delete(attempt_id)
    this.#entries.set(attempt_id, { offset, length, index, facts: factsOf(result, this.#shared) })
  }

  has(attemptId: string): boolean {
    return this.#entries.has(attemptId)
  }

  factsOf(attemptId: string): ResultFacts | undefined {
    return this.#entries.get(attemptId)?.facts
  }

  delete(attemptId: string): void {
    this.#entries.delete(attemptId)
  }

  get size(): number {
    return this.#entries.size
  }

  /** Without a plan: keeps only the results of the identity of each test that was recorded last. */
  dropSuperseded(): void {
    const newest = new Map<string, string>()
    for (const { facts } of this.#entries.values()) newest.set(testKey(facts), identityOf(facts))
    for (const [id, { facts }] of this.#entries)
      if (newest.get(testKey(facts)) !== identityOf(facts)) this.#entries.delete(id)
  }

  /** Number of tests with a result, per target. */
  testCount(): number {
    return new Set([...this.#entries.values()].map(({ facts }) => testKey(facts))).size
  }

  *facts(): Generator<ResultFacts> {
    for (const { facts } of this.#inOrder()) yield facts
  }

  /** The facts of the results in the order in which they were recorded. */
  recorded(): ResultFacts[] {
    return Array.from(this.#entries.values(), ({ facts }) => facts)
  }

  result(attemptId: string): Result | undefined {
    const entry = this.#entries.get(attemptId)
    return entry && this.#resultAt(entry)
  }

  *results(): Generator<Result> {
    for (const entry of this.#inOrder()) yield this.#resultAt(entry)
  }

  #resultAt(entry: Entry): Result {
    try {
      return JSON.parse(this.#read(entry))
    } catch (error) {
      return cannotRead('the results again')(error as Error)
    }
  }

  *#inOrder(): Generator<Entry> {
    if (!this.#order) yield* [...this.#entries.values()].sort((a, b) => a.index - b.index)
    for (const [, id] of this.#order ?? []) {
      const entry = this.#entries.get(id)
      if (entry) yield entry
    }
  }
}

/** Identifies the content of a test and its target. */
function identityOf({ test_hash = '', target_hash = '' }: ResultFacts): string {
  return compositeKey(test_hash, target_hash)
}

/** Answers that need no grading, by the newest result of each attempt. */
export class SettledAnswers {
  readonly #results = new Map<string, Pick<Result, 'answer_number' | 'timestamp'> & { readonly is_answered: boolean }>()

  /** Adds a result; the newest of an attempt must come last. */
  addResult({ attempt_id, answer, answer_number, timestamp }: Result): void {
    this.#results.set(attempt_id, { answer_number, timestamp, is_answered: answer !== null })
  }

  /** Whether an answer was graded, or its attempt has a newer result. */
  has({ attempt_id, timestamp, answer: { answer_number } }: AnswerRecord): boolean {
    const result = this.#results.get(attempt_id)
    if (!result) return false
    if (!result.is_answered) return result.timestamp >= timestamp
    // Records of earlier versions have no answer number.
    return answer_number === undefined || (result.answer_number ?? answer_number) >= answer_number
  }
}
