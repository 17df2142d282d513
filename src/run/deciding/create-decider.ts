import { compositeKey, groupBy } from '../../lib/collections.ts'
import { type Attempt, isControlOf } from '../../model/attempt.ts'
import type { Deciding } from '../../model/decision.ts'
import type { Plan } from '../../model/plan.ts'
import type { Test } from '../../model/test.ts'
import type { Decider, FactsOf } from './decider.ts'
import { type Arms, PairDecider, type TestArms } from './pair-decider.ts'
import { RateDecider } from './rate-decider.ts'

/** What a run decides: each target against its control, else each target against a pass rate. */
export interface Question {
  readonly deciding: Deciding
  readonly min_pass_rate?: number | undefined
}

/** Creates what chooses the attempts of a run until it is decided; undefined if there is nothing to decide. */
export function createDecider(
  { attempts }: Pick<Plan, 'attempts'>,
  { deciding, min_pass_rate }: Question,
  factsOf: FactsOf,
): Decider | undefined {
  const first = attempts.filter(({ trial }) => trial === 1)
  const arms = armsOf(first)
  if (arms.length > 0) return new PairDecider(arms, deciding, factsOf)
  if (min_pass_rate === undefined) return undefined
  return new RateDecider(first, min_pass_rate, deciding, id => factsOf(id)?.verdict)
}

/** Each target with its control, and the tests that both have. */
export function armsOf(attempts: readonly Attempt[]): Arms[] {
  const controls = new Map<Test, Attempt[]>()
  for (const attempt of attempts) {
    if (attempt.is_control) controls.set(attempt.test, [...(controls.get(attempt.test) ?? []), attempt])
  }
  const pairs = attempts.flatMap((candidate): TestArms[] => {
    if (candidate.is_control) return []
    const control = controls.get(candidate.test)?.find(arm => isControlOf(arm, candidate.target.name))
    return control ? [{ candidate, control }] : []
  })
  const groups = groupBy(pairs, ({ candidate, control }) => compositeKey(candidate.target.name, control.target.name))
  return Array.from(groups.values(), tests => {
    const [{ candidate, control }] = tests
    return { target: candidate.target.name, control: control.target.name, tests }
  })
}
