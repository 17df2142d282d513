import { SharedValues } from '../lib/shared-values.ts'
import type { Result } from '../model/result.ts'
import { factsOf, type ResultFacts, testKey } from '../model/run-reader.ts'
import { cannotRead } from './no-run.ts'

interface Place {
  readonly offset: number
  readonly length: number
}

interface Entry extends Place {
  readonly index: number
  readonly facts: ResultFacts
}

/** Where the newest result of each attempt stands, and the little that summaries need of it: results stay on the disk. */
export class ResultIndex {
  readonly #order: readonly (readonly [number, string])[] | undefined
  readonly #planned: ReadonlySet<string> | undefined
  readonly #entries = new Map<string, Entry>()
  readonly #read: (place: Place) => string
  readonly #shared = new SharedValues()

  /** `attempts` are those of the plan; undefined where there is none, and all results count. */
  constructor(attempts: readonly (readonly [number, string])[] | undefined, read: (place: Place) => string) {
    this.#order = attempts
    this.#planned = attempts && new Set(attempts.map(([, id]) => id))
    this.#read = read
  }

  /** A result of an attempt that is not in the plan does not count. */
  add(result: Result, { offset, length }: Place): void {
    const { attempt_id, index } = result
    if (this.#planned && !this.#planned.has(attempt_id)) return
    this.#entries.set(attempt_id, { offset, length, index, facts: factsOf(result, this.#shared) })
  }

  has(attemptId: string): boolean {
    return this.#entries.has(attemptId)
  }

  delete(attemptId: string): void {
    this.#entries.delete(attemptId)
  }

  get size(): number {
    return this.#entries.size
  }

  /** How many tests on targets have a result. */
  testCount(): number {
    return new Set([...this.#entries.values()].map(({ facts }) => testKey(facts))).size
  }

  *facts(): Generator<ResultFacts> {
    for (const { facts } of this.#inOrder()) yield facts
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

  #inOrder(): Entry[] {
    if (this.#order) return this.#order.flatMap(([, id]) => this.#entries.get(id) ?? [])
    return [...this.#entries.values()].sort((a, b) => a.index - b.index)
  }
}
