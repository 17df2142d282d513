import { resolve } from 'node:path'
import { groupBy } from '../lib/group-by.ts'
import type { Recording } from '../model/recordings.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { Attempt } from '../plan/attempt.ts'

/** The answers of a run, for the attempts of a plan of today. */
export class RecordedAnswers {
  readonly #recordings: ReadonlyMap<string, readonly Recording[]>
  readonly #info: RunInfo
  readonly #isNamed: boolean

  /** `isNamed`: whether somebody says which suites the answers are to be judged by, of whatever name. */
  constructor(recordings: readonly Recording[], info: RunInfo, isNamed: boolean) {
    this.#recordings = groupBy(recordings, keyOf)
    this.#info = info
    this.#isNamed = isNamed
  }

  /** The answer that belongs to an attempt: as long as its test asks the same, and is of the same suite. */
  to(attempt: Attempt): Recording | undefined {
    const { test, target, trial, request_id } = attempt
    const asked = this.#recordings.get(keyOf({ test_id: test.id, target: target.name, trial, request_id }))
    return asked?.find(({ suite }) => suite === undefined || this.#isOf(suite, attempt.suite))
  }

  /** By its name; else, after it was renamed, by its file; else where somebody says so. */
  #isOf(recorded: string, { name, file }: Attempt['suite']): boolean {
    const { suites, root } = this.#info
    if (suites.some(suite => suite.name === name)) return recorded === name
    const there = suites.filter(suite => resolve(root, suite.file) === file)
    return there.length > 0 ? there.some(suite => suite.name === recorded) : this.#isNamed
  }
}

function keyOf({ test_id, target, trial, request_id }: Omit<Recording, 'answer'>): string {
  return JSON.stringify([test_id, target, trial, request_id])
}
