import type { Attempt } from '../model/attempt.ts'
import type { Test } from '../model/test.ts'
import { attemptsOf, type TargetUnits, type Unit } from './units.ts'

/**
 * Returns the position of each unit by test and trial, so that the arms of a test run close in time. Targets that are
 * not compared with a control arm have none.
 */
export function armPositions(
  targets: readonly TargetUnits[],
  attempts: readonly Attempt[],
): readonly (readonly number[] | undefined)[] {
  const units = targets.map(target => target.units.map(firstOf))
  const controls = units.flat().filter(({ is_control }) => is_control)
  const compared = new Set(controls.map(({ test }) => test))
  const arms = units.map(firsts => (firsts.some(({ test }) => compared.has(test)) ? firsts : undefined))
  const positionOf = numberUnits(
    arms.flatMap(firsts => firsts ?? []),
    attempts,
  )
  return arms.map(firsts => firsts?.map(positionOf))
}

/** The attempt that stands for a unit: the first turn of a conversation. */
function firstOf(unit: Unit): Attempt {
  return attemptsOf(unit)[0] as Attempt
}

/** More than a test has trials. */
const TRIALS = 1_000_000

/** Numbers tests in the order of the attempts, each by trial. The same trial of a test has one number on all targets. */
function numberUnits(firsts: readonly Attempt[], attempts: readonly Attempt[]): (first: Attempt) => number {
  const tests = new Map<Test, number>()
  for (const { test } of attempts) {
    if (!tests.has(test)) tests.set(test, tests.size)
  }
  const keyOf = ({ test, trial }: Attempt) => (tests.get(test) ?? 0) * TRIALS + trial
  const keys = [...new Set(firsts.map(keyOf))].sort((a, b) => a - b)
  const positions = new Map(keys.map((key, position) => [key, position]))
  return first => positions.get(keyOf(first)) ?? 0
}
