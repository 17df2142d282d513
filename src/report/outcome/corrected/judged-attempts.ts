import { compositeKey, groupBy } from '../../../lib/collections.ts'
import { type Calibration, instrumentOf } from '../../../model/calibration.ts'
import { isLabelOf, type LabelledAnswer, labelledAnswer } from '../../../model/label.ts'
import type { Result } from '../../../model/result.ts'
import type { ResultFacts, RunReader } from '../../../model/run-reader.ts'
import type { TestOutcome } from '../test-outcome.ts'

/** An answer with a label. */
export type LabelledEntry = Calibration['labelled'][number]

/** Attempts of a suite that the same judges have graded: one calibration is about them. */
export interface JudgedGroup {
  readonly suite: string
  /** Undefined if the records do not say which judge graded. */
  readonly judges_hash: string | undefined
}

interface ReadAttempt {
  /** Identifies the checks with their judges; undefined if that is not recorded. */
  readonly instrument: string | undefined
  /** Only of tests with labels: others need no hash. */
  readonly answer: LabelledAnswer | undefined
  /** Whether the verdict is computed: it is exact. */
  readonly is_computed: boolean
}

/** What corrected pass rates need to know of the attempts of a run besides their facts. */
export class JudgedAttempts {
  readonly #attempts = new Map<string, ReadAttempt>()
  /** The answers of each suite and test with labels. */
  readonly #answers = new Map<string, LabelledAnswer[]>()
  readonly #samples = new Map<Calibration, boolean>()

  /** Reads the results once; only answers of tests with labels are hashed. */
  constructor(run: RunReader, calibrations: readonly Calibration[]) {
    const labelled = new Set(
      calibrations.flatMap(({ suite, labelled }) => labelled.map(({ test_id }) => compositeKey(suite, test_id))),
    )
    for (const result of run.results()) {
      const key = compositeKey(result.suite, result.test_id)
      const answer = labelled.has(key) ? labelledAnswer(result) : undefined
      this.#attempts.set(result.attempt_id, {
        instrument: instrumentOf(result),
        answer,
        is_computed: isComputed(result),
      })
      if (answer) this.#addAnswer(key, answer)
    }
  }

  #addAnswer(key: string, answer: LabelledAnswer): void {
    const answers = this.#answers.get(key)
    if (answers) answers.push(answer)
    else this.#answers.set(key, [answer])
  }

  /** The group of an attempt; undefined if its verdict is exact: an error, or computed without a model. */
  groupOf({ attempt_id, verdict, suite, judges_hash }: ResultFacts): JudgedGroup | undefined {
    if (verdict === 'error' || this.#attempts.get(attempt_id)?.is_computed) return undefined
    return { suite, judges_hash }
  }

  instrumentOf({ attempt_id }: ResultFacts): string | undefined {
    return this.#attempts.get(attempt_id)?.instrument
  }

  /** The label of an attempt in a calibration. */
  labelOf({ attempt_id }: ResultFacts, entries: LabelIndex): LabelledEntry | undefined {
    const answer = this.#attempts.get(attempt_id)?.answer
    return answer && entries.get(answer.test_id)?.find(entry => isLabelOf(entry, answer))
  }

  /**
   * Whether the labels are a sample of the answers of this run: each of them is about an answer of it, if it is about one of
   * its tests. A few answers that happen to be the same as in an earlier run are no sample, and neither are those of the
   * tests that are left after others have changed.
   */
  hasSample(calibration: Calibration): boolean {
    const known = this.#samples.get(calibration) ?? this.#isSample(calibration)
    this.#samples.set(calibration, known)
    return known
  }

  #isSample({ suite, labelled }: Calibration): boolean {
    const concerned = labelled.flatMap(entry => {
      const answers = this.#answers.get(compositeKey(suite, entry.test_id)) ?? []
      return answers.length > 0 ? [{ entry, answers }] : []
    })
    return (
      concerned.length > 0 && concerned.every(({ entry, answers }) => answers.some(answer => isLabelOf(entry, answer)))
    )
  }
}

/** Labelled answers by test. */
export type LabelIndex = ReadonlyMap<string, readonly LabelledEntry[]>

export function indexLabels({ labelled }: Calibration): LabelIndex {
  return groupBy(labelled, ({ test_id }) => test_id)
}

/** Records without hashes of their checks do not say whether a model judged. */
function isComputed({ judges_hash, checks_hash }: Result): boolean {
  return judges_hash === undefined && checks_hash !== undefined
}

/** The attempts that figures count: without those added by reruns, which repeat only failures. */
export function countedAttempts({ results }: TestOutcome): readonly ResultFacts[] {
  return results.filter(({ added }) => !added)
}
