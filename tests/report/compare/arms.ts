import type { Result } from '../../../src/model/result.ts'
import type { RunInfo } from '../../../src/model/run-info.ts'
import type { RunReader } from '../../../src/model/run-reader.ts'
import { runOf, trialsOf } from '../../support/recorded-run.ts'

/** Scores of the trials of each test on a target, null for an error. */
export type ArmScores = Readonly<Record<string, readonly (number | null)[]>>

/** The results of a target. */
export function armOf(target: string, scores: ArmScores, more: Partial<Result> = {}): Partial<Result>[] {
  return Object.entries(scores).flatMap(([id, values]) =>
    trialsOf(id, values, { target, test_hash: `hash of ${id}`, ...more }),
  )
}

/** The results of a control arm. */
export function controlOf(target: string, scores: ArmScores, more: Partial<Result> = {}): Partial<Result>[] {
  return armOf(target, scores, { control: true, ...more })
}

/** A run with these results, each an attempt of its own. */
export function armsRun(results: readonly (readonly Partial<Result>[])[], info?: Partial<RunInfo>): RunReader {
  return runOf(
    results.flat().map((result, index) => ({ attempt_id: `a${index}`, ...result })),
    info,
  )
}

/** Tests t0, t1, … of which the first `passed` pass. */
export function passing(passed: number, of: number): ArmScores {
  return Object.fromEntries(Array.from({ length: of }, (_, index) => [`t${index}`, [index < passed ? 1 : 0]]))
}
