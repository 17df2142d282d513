import { compositeKey } from '../../../lib/collections.ts'
import type { KnownCalibration } from '../../../model/calibration.ts'
import type { TestOutcome } from '../test-outcome.ts'
import type { JudgedAttempts, JudgedGroup } from './judged-attempts.ts'

/** Whether a calibration is about the judges and checks of attempts, and if not, why. */
export type Freshness =
  /** All that are; the newest first. */
  | { readonly kind: 'fresh'; readonly calibrations: readonly [KnownCalibration, ...KnownCalibration[]] }
  | { readonly kind: 'missing' }
  | { readonly kind: 'other-judge' }
  /** The tests whose checks have changed or are new, in order of the run. */
  | { readonly kind: 'changed-checks'; readonly test_ids: readonly string[] }
  | { readonly kind: 'unrecorded-judge' }
  | { readonly kind: 'changed-labels' }

/** Finds the calibrations of a run: one suite may have several judges, and each has its own. */
export class CalibrationFinder {
  readonly #calibrations: readonly KnownCalibration[]
  /** The tests of each instrument of a group. */
  readonly #instruments = new Map<string, Map<string | undefined, Set<string>>>()
  readonly #found = new Map<string, Freshness>()

  constructor(calibrations: readonly KnownCalibration[], tests: readonly TestOutcome[], attempts: JudgedAttempts) {
    this.#calibrations = calibrations
    for (const { test_id, results } of tests) {
      for (const facts of results) {
        const group = attempts.groupOf(facts)
        if (group) this.#add(group, attempts.instrumentOf(facts), test_id)
      }
    }
  }

  #add(group: JudgedGroup, instrument: string | undefined, test_id: string): void {
    const key = groupKey(group)
    const instruments = this.#instruments.get(key) ?? new Map<string | undefined, Set<string>>()
    this.#instruments.set(key, instruments)
    const tests = instruments.get(instrument)
    if (tests) tests.add(test_id)
    else instruments.set(instrument, new Set([test_id]))
  }

  freshnessFor(group: JudgedGroup): Freshness {
    const key = groupKey(group)
    const found = this.#found.get(key) ?? this.#freshness(group, this.#instruments.get(key) ?? new Map())
    this.#found.set(key, found)
    return found
  }

  #freshness(
    { suite, judges_hash }: JudgedGroup,
    instruments: ReadonlyMap<string | undefined, Set<string>>,
  ): Freshness {
    const ofSuite = this.#calibrations.filter(calibration => calibration.suite === suite)
    if (ofSuite.length === 0) return { kind: 'missing' }
    if (judges_hash === undefined) return { kind: 'unrecorded-judge' }
    const ofJudge = ofSuite.filter(calibration => calibration.judges_hash === judges_hash)
    if (ofJudge.length === 0) return { kind: 'other-judge' }
    const strays = ofJudge.map(calibration => strayTests(calibration, instruments))
    const [newest, ...older] = ofJudge.filter((_, index) => strays[index]?.length === 0).sort(newestFirst)
    if (newest) {
      const [first, ...others] = [newest, ...older].filter(calibration => !calibration.has_changed_labels)
      return first ? { kind: 'fresh', calibrations: [first, ...others] } : { kind: 'changed-labels' }
    }
    const [fewest = []] = strays.sort((one, other) => one.length - other.length)
    return { kind: 'changed-checks', test_ids: fewest }
  }
}

export function groupKey({ suite, judges_hash }: JudgedGroup): string {
  return compositeKey(suite, judges_hash ?? '')
}

/** The tests that were graded by checks that the calibration does not list. */
function strayTests(
  calibration: KnownCalibration,
  instruments: ReadonlyMap<string | undefined, ReadonlySet<string>>,
): readonly string[] {
  const known = new Set<string | undefined>(calibration.instruments)
  return [...new Set([...instruments].flatMap(([instrument, tests]) => (known.has(instrument) ? [] : [...tests])))]
}

/** The fingerprint decides between calibrations of one moment, so that the order of files does not. */
function newestFirst(one: KnownCalibration, other: KnownCalibration): number {
  const [first, second] = [`${one.made} ${one.fingerprint}`, `${other.made} ${other.fingerprint}`]
  return Number(first < second) - Number(first > second)
}
