import { resolve } from 'node:path'
import { groupBy } from '../../lib/collections.ts'
import { applicableChecks } from '../../model/applicability.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Prompt } from '../../model/prompt.ts'
import { isAnswered, type RecordedAttempt, type RecordedError, type Recording } from '../../model/recordings.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'

/** A recorded attempt: with its answer, or with the error that it ended in. */
export type Recorded = Recording | RecordedError

/** Finds the recorded attempts of a run for the attempts of a new plan. */
export class RecordedAnswers {
  readonly #recorded: ReadonlyMap<string, readonly Recorded[]>
  readonly #info: RunInfo
  readonly #isNamed: boolean
  readonly #recordedPath: (file: string) => string
  /** Files of the new plan by what they ask. */
  readonly #files: ReadonlyMap<string, ReadonlySet<string>>

  /** `isNamed`: whether the user names the suites, so that their names may differ. */
  constructor(recorded: readonly Recorded[], info: RunInfo, attempts: readonly Attempt[], isNamed: boolean) {
    this.#recorded = groupBy(recorded, keyOf)
    this.#info = info
    this.#isNamed = isNamed
    this.#recordedPath = recordedPathsFrom(info.root)
    const asking = [...groupBy(attempts, attemptKey)]
    this.#files = new Map(asking.map(([key, group]) => [key, new Set(group.map(each => this.#fileOf(each)))]))
  }

  /** The record of an attempt whose test asks the same, in the same suite. */
  to(attempt: Attempt): Recorded | undefined {
    const same = this.#recorded.get(attemptKey(attempt)) ?? []
    const ofSuite = same.filter(({ suite }) => suite === undefined || this.#isOf(suite, attempt.suite))
    return ofSuite.findLast(({ file }) => file === this.#fileOf(attempt)) ?? this.#ofMovedFile(attempt, ofSuite)
  }

  /** The record of a file that no longer asks this; undefined where several files qualify. */
  #ofMovedFile(attempt: Attempt, recorded: readonly Recorded[]): Recorded | undefined {
    const asking = this.#files.get(attemptKey(attempt))
    const left = recorded.filter(({ file }) => file === undefined || !asking?.has(file))
    return new Set(left.map(({ file }) => file)).size === 1 ? left.at(-1) : undefined
  }

  #fileOf({ test }: Attempt): string {
    return this.#recordedPath(test.at.file)
  }

  /** Compares suites by name, else by file for a renamed suite; suites that the user names always match. */
  #isOf(recorded: string, { name, file }: Attempt['suite']): boolean {
    const { suites, root } = this.#info
    if (suites.some(suite => suite.name === name)) return recorded === name
    const there = suites.filter(suite => resolve(root, suite.file) === file)
    return there.length > 0 ? there.some(suite => suite.name === recorded) : this.#isNamed
  }
}

function attemptKey({ test, target, trial, request_id }: Attempt): string {
  return keyOf({ test_id: test.id, target: target.name, trial, request_id })
}

function keyOf({ test_id, target, trial, request_id }: RecordedAttempt): string {
  return JSON.stringify([test_id, target, trial, request_id])
}

/** Recorded attempts that attempts of the new plan take over. */
export class AnswersInUse {
  readonly #recordings = new Map<string, Recorded>()
  readonly #looking = new Set<string>()

  /** Attempts that have a record, which each takes over. */
  takenBy(attempts: readonly Attempt[], known: RecordedAnswers): Attempt[] {
    return attempts.flatMap(attempt => {
      const recording = known.to(attempt)
      if (!recording) return []
      this.#recordings.set(attempt.id, recording)
      if (looksAround(attempt)) this.#looking.add(attempt.id)
      return [{ ...attempt, rerun: recording.rerun }]
    })
  }

  recordFor({ attempt_id }: Prompt): Recorded | undefined {
    return this.#recordings.get(attempt_id)
  }

  /** Whether an attempt takes over an answer. */
  get hasAnswers(): boolean {
    return [...this.#recordings.values()].some(isAnswered)
  }

  /** Whether a check inspects the workspace of the answer. */
  looksAround({ attempt_id }: Prompt): boolean {
    return this.#looking.has(attempt_id)
  }

  /** Records that no attempt takes over. */
  leftOf(recorded: readonly Recorded[]): Recorded[] {
    const used = new Set(this.#recordings.values())
    return recorded.filter(each => !used.has(each))
  }
}

function looksAround({ test, target }: Attempt): boolean {
  return [...applicableChecks(test.checks, target)].some(({ evaluator, config }) => evaluator.judge?.(config).looks)
}
