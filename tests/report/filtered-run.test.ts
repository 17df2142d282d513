import { describe, expect, it } from 'vitest'
import { runInfoSchema } from '../../src/model/run-info.ts'
import { filteredRun } from '../../src/report/filtered-run.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { runOf } from '../support/recorded-run.ts'

const RESULTS = [
  { test_id: 'pays', tags: ['billing'], attempt_id: 'a0' },
  { test_id: 'refunds', tags: ['billing', 'slow'], attempt_id: 'a1', verdict: 'fail' as const, score: 0 },
  { test_id: 'greets', tags: [], attempt_id: 'a2' },
]
const INFO = {
  schema_version: 1 as const,
  run_id: 'r',
  started: '2026-11-16T09:00:00.000Z',
  assay_version: '1',
  node_version: '1',
  platform: 'x',
  root: '/',
  suites: [],
  targets: [],
  options: {},
  plan_id: 'p',
  total: 3,
  tests: 3,
  total_tests: 3,
  selected_tests: 3,
  available_tests: 3,
  attempts: RESULTS.map(({ attempt_id }, index): [number, string] => [index, attempt_id]),
}

describe('the part of a run that a filter selects', () => {
  it('has the tests with one of the tags and one of the ids', () => {
    const idsOf = (filter: Parameters<typeof filteredRun>[1]) =>
      [...(filteredRun(runOf(RESULTS), filter)?.results() ?? [])].map(({ test_id }) => test_id)
    expect(idsOf({ tags: ['billing'] })).toEqual(['pays', 'refunds'])
    expect(idsOf({ tags: ['billing', 'slow'], test_ids: ['re*'] })).toEqual(['refunds'])
    expect(idsOf({ test_ids: ['greets', 'pays'] })).toEqual(['pays', 'greets'])
  })

  it('is undefined if no test is selected', () => {
    expect(filteredRun(runOf(RESULTS), { tags: ['bill'] })).toBeUndefined()
  })

  it('is a partial run that names the filter, with and without run.json', () => {
    const part = filteredRun(runOf(RESULTS, INFO), { tags: ['billing'] })
    expect(part && outcomeOf(part)).toMatchObject({
      partial: '2 of 3 tests selected (--tag billing)',
      planned_tests: 2,
      distinct_tests: 2,
      not_run: 0,
      counts: { pass: 1, fail: 1 },
    })
    expect(runInfoSchema().safeParse(part?.info).success).toBe(true)
    const plain = filteredRun(runOf(RESULTS), { tags: ['billing'] })
    expect(plain && outcomeOf(plain).partial).toBe('2 of 3 tests selected (--tag billing)')
  })

  it('keeps attempts without a result, which may be of any test', () => {
    const info = { ...INFO, total: 4, attempts: [...INFO.attempts, [3, 'a3']] as [number, string][] }
    const run = { ...runOf(RESULTS, info), planned: 4, planned_tests: 4 }
    const part = filteredRun(run, { tags: ['billing'] })
    expect(part && outcomeOf(part)).toMatchObject({ not_run: 1, planned_tests: 3 })
    expect(runInfoSchema().safeParse(part?.info).success).toBe(true)
  })

  it('does not find results of other tests', () => {
    const part = filteredRun(runOf(RESULTS), { tags: ['billing'] })
    expect([part?.result('a2'), part?.result('a1')?.test_id]).toEqual([undefined, 'refunds'])
  })
})
