import { compositeKey, groupBy } from '../../lib/collections.ts'
import { isControlOf } from '../../model/attempt.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { testIdentity } from '../test-identity.ts'
import { type Comparison, compareSides, type Side } from './comparison.ts'

export interface ArmOptions {
  /** Accepted loss, from 0 to 1. Default: 0. */
  readonly margin?: number | undefined
}

/** Compares each target with the control arm of its tests; empty without a control arm. */
export function armComparisons(
  { tests }: { readonly tests: readonly TestOutcome[] },
  { margin = 0 }: ArmOptions = {},
): Comparison[] {
  const sides = armSides(tests)
  return sides.length === 0 ? [] : compareSides(sides, margin)
}

/** Whether any target is a control arm. */
export function hasControl({ tests }: { readonly tests: readonly TestOutcome[] }): boolean {
  return tests.some(({ is_control }) => is_control)
}

/** A pair of sides for each target and each control arm that its tests have. */
export function armSides(tests: readonly TestOutcome[]): (readonly [Side, Side])[] {
  const controls = tests.filter(({ is_control }) => is_control)
  const others = groupBy(
    tests.filter(({ is_control }) => !is_control),
    ({ target }) => target,
  )
  const controlNames = controlNamesOf(controls)
  return [...groupBy(controls, ({ target }) => target)].flatMap(([control, before]) =>
    [...others].flatMap(([target, group]) => {
      if (!before.some(test => isControlOf(test, target))) return []
      const after = group.filter(test => controlNames(test).has(control))
      const keys = new Set(after.map(fileKey))
      const compared = before.filter(test => keys.has(fileKey(test)))
      return after.length === 0 ? [] : [[sideOf(control, compared), sideOf(target, after)] as const]
    }),
  )
}

/** The control arms of a test: those with a result of it, else those of the other tests in its file. */
function controlNamesOf(controls: readonly TestOutcome[]): (test: TestOutcome) => ReadonlySet<string> {
  const byTest = namesBy(controls, testIdentity)
  const byFile = namesBy(controls, fileKey)
  return test => byTest.get(testIdentity(test)) ?? byFile.get(fileKey(test)) ?? new Set()
}

function namesBy(controls: readonly TestOutcome[], keyOf: (test: TestOutcome) => string): Map<string, Set<string>> {
  return new Map([...groupBy(controls, keyOf)].map(([key, group]) => [key, new Set(group.map(({ target }) => target))]))
}

function fileKey({ suite, file }: TestOutcome): string {
  return compositeKey(suite, file)
}

function sideOf(target: string, tests: readonly TestOutcome[]): Side {
  return { label: target, target, tests }
}
