import type { Baseline, BaselineTest } from '../../model/baseline.ts'
import { markRecord } from '../../model/mark.ts'
import { testKey } from '../../model/run-reader.ts'

/** A baseline after a run was saved to it, with what the run did to it. */
export interface UpdatedBaseline {
  readonly baseline: Baseline
  readonly added: readonly BaselineTest[]
  readonly updated: readonly BaselineTest[]
  /** Number of tests whose line is the same as before. */
  readonly same: number
  readonly removed: readonly BaselineTest[]
  /** Tests that the run does not cover. */
  readonly kept: readonly BaselineTest[]
}

/** Replaces the tests of a baseline that a run covers; `isCovered` tells whether a test that the run lacks is gone. */
export function updateBaseline(
  before: Baseline | undefined,
  now: Baseline,
  isCovered: (test: BaselineTest) => boolean,
): UpdatedBaseline {
  const old = new Map((before?.tests ?? []).map(test => [testKey(test), test]))
  const keys = new Set(now.tests.map(testKey))
  const others = [...old].filter(([key]) => !keys.has(key)).map(([, test]) => test)
  const kept = others.filter(test => !isCovered(test))
  const known = now.tests.filter(test => old.has(testKey(test)))
  const isSame = (test: BaselineTest) => textOf(test) === textOf(old.get(testKey(test)))
  const updated = known.filter(test => !isSame(test))
  const isAlone = kept.length === 0 || !before
  return {
    baseline: {
      ...now,
      targets: isAlone ? now.targets : withOthers(now.targets, before.targets),
      files: isAlone ? now.files : { ...before.files, ...now.files },
      tests: [...now.tests.map(test => (isSame(test) ? (old.get(testKey(test)) ?? test) : test)), ...kept],
    },
    added: now.tests.filter(test => !old.has(testKey(test))),
    updated,
    same: known.length - updated.length,
    removed: others.filter(isCovered),
    kept,
  }
}

/** What a line says, whichever run has made it: an equal result of a later run does not change it. */
function textOf(test: BaselineTest | undefined): string {
  return JSON.stringify({ ...test, line: undefined, run: undefined, ...markRecord(undefined) })
}

function withOthers(now: Baseline['targets'], before: Baseline['targets']): Baseline['targets'] {
  const names = new Set(now.map(({ target }) => target))
  return [...now, ...before.filter(({ target }) => !names.has(target))]
}
