import { describe, expect, it } from 'vitest'
import type { BaselineTest } from '../../src/model/baseline.ts'
import type { Plan } from '../../src/model/plan.ts'
import { affectedPlan, statusOfTests } from '../../src/plan/affected.ts'
import { baselineWith, savedTest } from '../support/baselines.ts'
import { planOf } from './planned-run.ts'

const recordedPath = (file: string) => file.slice(1)

/** The current results of a plan, with changes to those of some tests. */
function savedOf({ attempts }: Plan, change: (id: string) => Partial<BaselineTest> = () => ({})): BaselineTest[] {
  const first = attempts.filter(({ trial }) => trial === 1)
  return first.map(({ test, target, test_hash, target_hash, request_id, checks_hash }) =>
    savedTest({
      ...{ test_id: test.id, target: target.name, test_hash, target_hash },
      ...{ input_hash: request_id, checks_hash },
      ...change(test.id),
    }),
  )
}

function statusesOf(plan: Plan, tests: readonly BaselineTest[], identity_version = 2) {
  return statusOfTests(plan, { name: 'main', baseline: baselineWith(tests, { identity_version }) }, recordedPath)
}

/** `a on default: current`. */
const textsOf = (plan: Plan, tests: readonly BaselineTest[], version?: number) =>
  statusesOf(plan, tests, version).map(
    ({ attempts: [{ test, target }], state, reasons }) =>
      `${test.id} on ${target.name}: ${[state, ...reasons].join(', ')}`,
  )

function affectedOf(plan: Plan, tests: readonly BaselineTest[]): Plan {
  return affectedPlan(plan, statusesOf(plan, tests), { name: 'main' }, recordedPath)
}

describe('statusOfTests', () => {
  it('tells what is missing in a result that is otherwise current', () => {
    const plan = planOf({ tests: [{ id: 'a' }, { id: 'b' }], trials: 2 })
    const tests = savedOf(plan, id => (id === 'a' ? { attempts: 3, scores: [1, 1, 1] } : { errors: 1, passed: 0 }))
    expect(textsOf(plan, tests)).toEqual([
      'a on default: current',
      'b on default: changed, the result in main has errors, 2 trials wanted, main has 1',
    ])
  })

  it('says that another version of Assay has saved a test, instead of a wrong reason', () => {
    const plan = planOf({ tests: [{ id: 'a' }] })
    const tests = savedOf(plan, () => ({ test_hash: 'old', input_hash: 'old' }))
    expect(textsOf(plan, tests, 1)).toEqual([
      'a on default: changed, saved by another version of Assay, which identifies tests differently',
    ])
    expect(textsOf(plan, tests)).toEqual(['a on default: changed, the input changed'])
  })

  it('keeps equally named results apart by their file, and takes none of them twice', () => {
    const plan = planOf({ tests: [{ id: 'a' }] })
    const [test = savedTest()] = savedOf(plan)
    const other = { ...test, file: 'other/EVAL.yaml', test_hash: 'other' }
    expect(textsOf(plan, [other, test])).toEqual(['a on default: current'])
    // Two candidates in other files, none with this content: either could be meant.
    const unclear = [other, { ...other, file: 'third/EVAL.yaml' }]
    expect(textsOf(plan, unclear)).toEqual(['a on default: new, new test'])
  })

  it.each(['__proto__', 'constructor', 'toString', '\u0000\u001b[31m', 'x'.repeat(100_000), '<<<<<<< HEAD'])(
    'takes ids for plain names: %#',
    id => {
      const plan = planOf({ tests: [{ id }, { id: 'b' }], targets: [id, 'default'] })
      const tests = savedOf(plan)
      expect(statusesOf(plan, tests).map(({ state }) => state)).toEqual(Array(4).fill('current'))
      expect(statusesOf(plan, []).map(({ state }) => state)).toEqual(Array(4).fill('new'))
    },
  )
})

describe('affectedPlan', () => {
  it('runs what is not current, and carries the rest over with its place in the suite as it is now', () => {
    const plan = planOf({ tests: [{ id: 'a' }, { id: 'b' }], trials: 2 })
    const two = { attempts: 2, scores: [1, 1], file: 'old/EVAL.yaml' }
    const affected = affectedOf(
      plan,
      savedOf(plan, id => ({ ...two, ...(id === 'b' ? { target_hash: 'old' } : {}) })),
    )
    expect(affected.attempts.map(({ test, trial }) => `${test.id} ${trial}`)).toEqual(['b 1', 'b 2'])
    expect([affected.total, affected.planned, affected.total_tests]).toEqual([2, 2, 1])
    expect(affected.carried).toMatchObject({ from: 'main', tests: [{ test_id: 'a', file: 'EVAL.yaml', line: 1 }] })
    expect(affected.id).not.toBe(plan.id)
  })

  it('runs a conversation with all of its tests', () => {
    const tests = ['a', 'b', 'c'].map(id => ({ id, conversation_id: id === 'c' ? 'other' : 'one' }))
    const plan = planOf({ tests })
    const affected = affectedOf(
      plan,
      savedOf(plan, id => (id === 'b' ? { test_hash: 'old' } : {})),
    )
    expect(affected.attempts.map(({ test }) => test.id)).toEqual(['a', 'b'])
  })

  it('carries everything over, or nothing', () => {
    const plan = planOf({ tests: [{ id: 'a' }, { id: 'b' }] })
    expect(affectedOf(plan, savedOf(plan))).toMatchObject({ attempts: [], total: 0, total_tests: 0 })
    expect(affectedOf(plan, [])).toMatchObject({ total: 2, carried: { tests: [] } })
  })
})
