import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import type { Result } from '../../src/model/result.ts'
import { factsOf, type RunReader, testKey } from '../../src/model/run-reader.ts'
import { judgeChecks, PASS_MARK, reaches } from '../../src/model/verdict.ts'
import { evaluateGate, type GateOptions } from '../../src/report/outcome/gate.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'

/** The result of a check: its score (null: unjudged), its weight and its required score. */
type Graded = readonly [score: number | null, weight: number, required: number | null]

function checkOf([score, weight, required]: Graded): EvaluatorResult {
  const passed = score !== null && reaches(score, required ?? PASS_MARK)
  const error = score === null ? { error: { code: 'regex-too-slow', message: 'no time' } } : {}
  const facts = { name: 'c', type: 'contains', text: 'It is', hits: [], misses: [], line: 1, duration_ms: 0 }
  return { ...facts, score, weight, required, passed, ...error }
}

const judged = (graded: readonly Graded[]) => judgeChecks(graded.map(checkOf))

/** `1 0*2 0.5*3!0.8`: scores with weight and required score; `-` is unjudged. */
function read(text: string): Graded[] {
  return text.split(' ').map(word => {
    const [, score = '', weight = '1', required] = /^([^*!]+)(?:\*([^!]+))?(?:!(.+))?$/.exec(word) ?? []
    return [score === '-' ? null : Number(score), Number(weight), required === undefined ? null : Number(required)]
  })
}

describe('the score of a test', () => {
  it.each<[graded: string, score: number, verdict: string]>([
    ['1', 1, 'pass'],
    ['0', 0, 'fail'],
    ['1 0', 0.5, 'fail'],
    ['1*3 0', 0.75, 'borderline'],
    ['1*4 0', 0.8, 'pass'],
    ['1*3 0*2', 0.6, 'borderline'],
    ['1*0.5 0*0.5', 0.5, 'fail'],
    ['1*0.1 1*0.2 0*0.075', 0.8, 'pass'],
    ['1 0*0', 1, 'pass'],
    ['0 1*0', 0, 'fail'],
    ['1*1e-9 0*1e-9', 0.5, 'fail'],
    ['1*1e9 0', 0.999999999, 'pass'],
    ['0.8', 0.8, 'pass'],
    ['0.7999999', 0.7999999, 'borderline'],
    ['0.79999999999', 0.8, 'pass'],
    ['0.6', 0.6, 'borderline'],
    ['0.5999999', 0.5999999, 'fail'],
    ['0.59999999999', 0.6, 'borderline'],
    ['0.30000000000000004 1 1*0.75', 0.745454545, 'borderline'],
    ['0.7999999999999999 0.8', 0.8, 'pass'],
    ['0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1 0.8*0.1', 0.8, 'pass'],
    ['1*0.333333333333 1*0.333333333333 0.4*0.333333333333', 0.8, 'pass'],
  ])('%s: %d, %s', (graded, score, verdict) => {
    expect(judged(read(graded))).toEqual({ score, verdict })
  })
})

describe('a required check', () => {
  it.each<[graded: string, score: number, verdict: string]>([
    // Missed: the test fails, and the score does not change.
    ['0*1!0.8 1*9', 0.9, 'fail'],
    ['0.79*1!0.8 1*9', 0.979, 'fail'],
    ['0*0!0.8 1', 1, 'fail'],
    ['0.99*1!1', 0.99, 'fail'],
    ['1*1!0.8 0.2*1!0.3', 0.6, 'fail'],
    // Reached: no effect.
    ['0.8*1!0.8', 0.8, 'pass'],
    ['0.3*1!0.3 1', 0.65, 'borderline'],
    ['0.3*1!0.3', 0.3, 'fail'],
    ['0.3*1!0.30000000000000004 1*9', 0.93, 'pass'],
    ['0.7999999999999*1!0.8', 0.8, 'pass'],
  ])('%s: %d, %s', (graded, score, verdict) => {
    expect(judged(read(graded))).toEqual({ score, verdict })
  })
})

describe('an unjudged check', () => {
  it.each(['-', '- 1*99', '1 -*0!0.8', '0*1!0.8 -', '-*1!0.8 1'])(
    'makes %s an error, whatever the other checks',
    graded => {
      expect(judged(read(graded))).toEqual({ score: null, verdict: 'error' })
    },
  )

  it.each<[graded: string, score: number, verdict: string]>([
    ['1 -*0', 1, 'pass'],
    ['-*0 0.7', 0.7, 'borderline'],
    ['0*1!0.8 1*9 -*0', 0.9, 'fail'],
  ])('does not count without weight: %s', (graded, score, verdict) => {
    expect(judged(read(graded))).toEqual({ score, verdict })
  })
})

describe('for any grades', () => {
  const score = fc.oneof(fc.constantFrom(0, 1, 0.8, 0.6, 0.3), fc.double({ min: 0, max: 1, noNaN: true }))
  const weight = fc.oneof(fc.constantFrom(0, 1, 0.1), fc.double({ min: 1e-6, max: 1e6, noNaN: true }))
  const required = fc.oneof(fc.constant(null), fc.double({ min: 0.01, max: 1, noNaN: true }))
  const checks = fc
    .array(fc.tuple(score, weight, required), { minLength: 1, maxLength: 8 })
    .filter(list => list.some(([, weight]) => weight > 0))

  it('the score is in 0..1, between the lowest and the highest', () => {
    fc.assert(
      fc.property(checks, graded => {
        const counted = graded.filter(([, weight]) => weight > 0).map(([score]) => score)
        const { score } = judged(graded)
        expect(score).toBeGreaterThanOrEqual(Math.max(0, Math.min(...counted) - 1e-9))
        expect(score).toBeLessThanOrEqual(Math.min(1, Math.max(...counted) + 1e-9))
      }),
    )
  })

  it('the order of the checks does not matter', () => {
    fc.assert(
      fc.property(checks, fc.integer({ min: 0, max: 7 }), (graded, by) => {
        const turned = [...graded.slice(by), ...graded.slice(0, by)]
        expect(judged(turned)).toEqual(judged(graded))
        expect(judged(graded.toReversed())).toEqual(judged(graded))
      }),
    )
  })

  it('the verdict follows from the score and the required checks', () => {
    fc.assert(
      fc.property(checks, graded => {
        const { score, verdict } = judged(graded)
        const misses = graded.some(([score, , mark]) => mark !== null && score < mark - 1e-8)
        const reached = graded.every(([score, , mark]) => mark === null || score >= mark)
        if (misses) expect(verdict).toBe('fail')
        if (reached) expect(verdict).toBe(score! >= 0.8 ? 'pass' : score! >= 0.6 ? 'borderline' : 'fail')
      }),
    )
  })

  it('the largest weights give a finite score', () => {
    expect(judged(read('1*1e308 1*1e308'))).toEqual({ score: 1, verdict: 'pass' })
  })
})

/** An attempt: the id of its test, its score, and whether it missed a required check. */
type Recorded = readonly [id: string, score: number | null, missed: boolean]

/** `a 1, b 0.7, a 1!`: attempts with their scores; `-` is an error, `!` a missed required check. */
function readRun(text: string): Recorded[] {
  return text.split(', ').map(word => {
    const [, id = '', score = '', missed] = /^(\w+) ([^!]+)(!)?$/.exec(word) ?? []
    return [id, score === '-' ? null : Number(score), missed !== undefined]
  })
}

function runOf(recorded: readonly Recorded[], planned = recorded.length): RunReader {
  const results = recorded.map(([test_id, score, missed], index): Result => {
    const checks = [checkOf([score, 1, null]), checkOf([missed ? 0 : 1, 0, 0.8])]
    const names = { run_id: 'r', attempt_id: String(index), suite: 's', file: 'EVAL.yaml', test_id, target: 't' }
    const facts = { provider: 'mock', timestamp: '', tags: [], metadata: {}, input: [], hits: [], misses: [] }
    const numbers = { schema_version: 1 as const, index, line: 1, trial: index + 1 }
    return { ...names, ...facts, ...numbers, ...judgeChecks(checks), answer: 'a', evaluator_results: checks }
  })
  return readerOf(results, planned)
}

function readerOf(results: readonly Result[], planned: number): RunReader {
  const tests = new Set(results.map(result => factsOf(result)).map(testKey)).size
  return {
    info: undefined,
    planned,
    planned_tests: planned - results.length + tests,
    facts: () => results.map(result => factsOf(result)),
    result: id => results.find(({ attempt_id }) => attempt_id === id),
    results: () => results,
  }
}

describe('a test over its trials', () => {
  it.each<[recorded: string, verdict: string, score: number | null]>([
    ['a 1, a 1', 'pass', 1],
    ['a 1, a 0.6', 'pass', 0.8],
    ['a 1, a 1, a 0', 'borderline', 0.666666667],
    ['a 1, a 0', 'fail', 0.5],
    ['a 0.9, a 0.9, a 0.6', 'pass', 0.8],
    ['a 0.7, a 0.9000000000000001', 'pass', 0.8],
    ['a 0.1, a 0.2, a 1, a 1, a 1, a 0.3', 'borderline', 0.6],
    ['a 1, a 1!, a 1', 'fail', 1],
    ['a 1!, a 1, a 1', 'fail', 1],
    ['a 1, a -', 'error', 1],
    ['a 1!, a -, a 0', 'error', 0.5],
    ['a -, a -', 'error', null],
  ])('%s: %s', (recorded, verdict, score) => {
    const { tests, counts } = outcomeOf(runOf(readRun(recorded)))
    expect(tests).toMatchObject([{ test_id: 'a', verdict, score, attempts: readRun(recorded).length }])
    expect(counts).toEqual({ pass: 0, borderline: 0, fail: 0, error: 0, [verdict]: 1 })
  })

  it('does not depend on the order of the trials', () => {
    const score = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant('a'), score, fc.boolean()), { minLength: 1, maxLength: 6 }), trials => {
        const [there] = outcomeOf(runOf(trials)).tests
        const [back] = outcomeOf(runOf(trials.toReversed())).tests
        expect(back).toEqual({ ...there, values: there?.values.toReversed(), results: back?.results })
        const errors = trials.filter(([, score]) => score === null).length
        expect(there?.errors).toBe(errors)
        expect(there?.score === null).toBe(errors === trials.length)
        expect(there?.verdict === 'error').toBe(errors > 0)
      }),
    )
  })

  it('counts each test once, errors separately', () => {
    const outcome = outcomeOf(runOf(readRun('a 1, b 0.7, a 1, c 0, d -, c 0, e 1'), 9))
    expect(outcome.counts).toEqual({ pass: 2, borderline: 1, fail: 1, error: 1 })
    expect(outcome.not_run).toBe(2)
    expect(outcome.notable.map(({ result, trials }) => `${result.test_id} ${trials.length}`)).toEqual([
      'b 1',
      'c 2',
      'd 1',
    ])
  })

  it('distinguishes the same id in another suite, file or target', () => {
    const results = [...runOf(readRun('a 1, a 0, a 0.7, a -')).results()]
    const [first, second, third, fourth] = results
    const apart = [first, { ...second, suite: 'x' }, { ...third, file: 'x' }, { ...fourth, target: 'x' }] as Result[]
    const { counts } = outcomeOf(readerOf(apart, 4))
    expect(counts).toEqual({ pass: 1, borderline: 1, fail: 1, error: 1 })
  })
})

describe('the gate', () => {
  const held = (recorded: string, options: GateOptions = {}, planned?: number) =>
    evaluateGate(outcomeOf(runOf(readRun(recorded), planned)), options).held

  it.each<[recorded: string, strict: boolean, expected: boolean]>([
    ['a 1, b 0.6', false, true],
    ['a 1, b 0.59', false, false],
    ['a 1!', false, false],
    ['a 1, a 0, a 1, a 1, a 1', false, true],
    ['a 1, b 0.79', true, false],
    ['a 1, b 0.8', true, true],
    ['a 1, b 0', true, false],
  ])('%s, --fail-on borderline: %s', (recorded, strict, expected) => {
    expect(held(recorded, strict ? { fail_on: 'borderline' } : {})).toBe(expected)
  })

  it.each<[recorded: string, rate: number, expected: boolean]>([
    ['a 1, b 0', 0.5, true],
    ['a 1, b 0', 0.51, false],
    ['a 1, b 0.7', 0.6, false],
    ['a 1, b -', 0.5, false],
    ['a 1, b -', 0, false],
    ['a 1, b 1, c 0', 2 / 3, true],
    ['a 0', 0, true],
    ['a 1', 1, true],
    ['a 1, a 1, b 0', 0.5, true],
    ['a 1, a 1, b 0', 0.6, false],
    ['a 1, a 0, b 1', 0.75, true],
    ['a 1, a 0, b 1', 0.76, false],
    ['a 1, a -, b 1', 0.5, false],
  ])('%s, --min-pass-rate %d', (recorded, min_pass_rate, expected) => {
    expect(held(recorded, { min_pass_rate })).toBe(expected)
  })

  it.each<[recorded: string, rate: number, expected: boolean]>([
    ['a 1, a -, b 1', 0.75, true],
    ['a 1, a -, b 1', 0.76, false],
    ['a 1, b -', 0.5, false],
  ])('%s, --allow-flaky --min-pass-rate %d counts an error as not passed', (recorded, min_pass_rate, expected) => {
    expect(held(recorded, { min_pass_rate, allow_flaky: true })).toBe(expected)
  })

  it('fails --min-pass-rate if a test was not run', () => {
    expect(held('a 1', { min_pass_rate: 0.5 }, 2)).toBe(false)
    expect(held('a 1', { min_pass_rate: 0.51 }, 2)).toBe(false)
    expect(held('a 0', { min_pass_rate: 0.1 }, 2)).toBe(false)
    expect(held('a 1', { min_pass_rate: 0.5 }, 1)).toBe(true)
  })
})
