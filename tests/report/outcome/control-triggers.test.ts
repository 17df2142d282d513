import { expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf, triggerResult } from '../../support/recorded-run.ts'

/** An answer for which the skill should have been used, but was not. */
const unused = (more: Partial<Result>): Partial<Result> => ({
  evaluator_results: [triggerResult('csv', true, false)],
  ...more,
})

it('does not suspect the harness of a control arm, which need not know the skill', () => {
  const suspects = (...results: Partial<Result>[]) =>
    outcomeOf(runOf(results)).triggers?.map(({ target, harness_suspect }) => [target, harness_suspect])
  expect(suspects(unused({ target: 'with' }), unused({ target: 'without', control: true }))).toEqual([
    ['with', true],
    ['without', false],
  ])
  // A target that is the control arm of one test may be compared in another.
  expect(suspects(unused({ control: true }), unused({ test_id: 'other' }))).toEqual([['default', true]])
})
