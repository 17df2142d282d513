import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { evaluateGate, type GateOptions } from '../../../src/report/outcome/gate.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf, trialsOf } from '../../support/recorded-run.ts'

const gateOf = (results: readonly Partial<Result>[], options: GateOptions, planned_tests?: number) => {
  const run = runOf(results)
  const tests = new Set(results.map(({ test_id, target }) => `${test_id} ${target}`)).size
  return evaluateGate(outcomeOf({ ...run, planned_tests: planned_tests ?? tests }), options)
}

/** Passing and failing tests on a target. */
const tests = (target: string, passed: number, failed: number) =>
  Array.from({ length: passed + failed }, (_, index) =>
    trialsOf(`t${index}`, [Number(index < passed)], { target }),
  ).flat()

describe('--min-pass-rate', () => {
  it('must be reached by each target', () => {
    const results = [...tests('good', 10, 0), ...tests('bad', 6, 4)]
    expect(gateOf(results, { min_pass_rate: 0.8 })).toEqual({
      held: false,
      errors: 0,
      reason: 'pass rate bad 60 %, 80 % required of each target',
    })
    expect(gateOf(results, { min_pass_rate: 0.6 })).toMatchObject({
      held: true,
      reason: 'pass rate good 100 %, bad 60 %, 60 % required of each target',
    })
  })

  it('does not depend on the number of trials', () => {
    const flaky = (trials: number) =>
      Array.from({ length: 10 }, (_, index) =>
        trialsOf(
          `t${index}`,
          Array.from({ length: trials }, (_, trial) => Number((index + trial) % 5 > 0)),
        ),
      ).flat()
    for (const trials of [1, 5, 10]) {
      expect(gateOf(flaky(trials), { min_pass_rate: 0.8 })).toMatchObject({
        held: true,
        reason: 'pass rate 80 %, 80 % required',
      })
    }
  })

  it('counts an errored attempt as not passed, and fails on errors', () => {
    const results = Array.from({ length: 10 }, (_, index) => trialsOf(`t${index}`, [1, 1, 1, 1, null])).flat()
    expect(gateOf(results, { min_pass_rate: 0.75 })).toEqual({
      held: false,
      errors: 10,
      reason: 'pass rate 80 %, 75 % required, 10 tests with errors',
    })
  })

  it('counts a test without attempts as not passed', () => {
    expect(gateOf(tests('default', 8, 0), { min_pass_rate: 0.9 }, 10)).toMatchObject({
      held: false,
      reason: 'pass rate 80 %, 90 % required, 2 attempts not made',
    })
    const reason = 'pass rate 0 %, 0 % required, 3 attempts not made'
    expect(gateOf([], { min_pass_rate: 0 }, 3)).toMatchObject({ held: false, reason })
  })

  it('fails if a test has no attempt, even if the rate is reached', () => {
    expect(gateOf(tests('default', 9, 0), { min_pass_rate: 0.9 }, 10)).toMatchObject({ held: false })
    expect(gateOf(tests('default', 9, 0), {}, 10)).toMatchObject({
      held: false,
      reason: 'no test failed, 1 attempt not made',
    })
  })

  it('never rounds a rate below the threshold up to it', () => {
    const results = tests('default', 89_999, 10_001)
    expect(gateOf(results, { min_pass_rate: 0.9 }).reason).toBe('pass rate 89.999 %, 90 % required')
  })
})

describe('verdicts', () => {
  const mixed = [...trialsOf('good', [1]), ...trialsOf('middling', [0.7]), ...trialsOf('bad', [0])]

  it.each<[options: GateOptions, held: boolean, reason: string]>([
    [{}, false, '1 of 3 tests failed'],
    [{ fail_on: 'borderline' }, false, '2 of 3 tests failed'],
    [{ allow_flaky: true }, false, '1 of 3 tests failed'],
  ])('%j', (options, held, reason) => {
    expect(gateOf(mixed, options)).toEqual({ held, errors: 0, reason })
  })

  it('accepts flaky tests only with allow_flaky', () => {
    const flaky = [...trialsOf('coin', [0, 1]), ...trialsOf('crash', [null, 1])]
    expect(gateOf(flaky, {})).toEqual({ held: false, errors: 1, reason: '1 of 2 tests failed, 1 test with errors' })
    expect(gateOf(flaky, { allow_flaky: true })).toEqual({
      held: true,
      errors: 0,
      reason: 'no test failed, 2 flaky and allowed',
    })
  })

  it('fails if a failure hides behind an error', () => {
    expect(gateOf(trialsOf('a', [0, 1, null]), {})).toMatchObject({ held: false, errors: 1 })
  })
})
