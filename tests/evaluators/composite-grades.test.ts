import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/model/answer.ts'
import { judgeChecks } from '../../src/model/verdict.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { compositeOf, scored, UNJUDGED } from './composites.ts'

/** A transcript without calls and numbers. */
const ANSWER: Answer = { text: 'yes and no', output_messages: [] }

type Case = [aggregator: string, children: string, score: number]

const weightedAverage: Case[] = [
  ['', 'a=1 b=0', 0.5],
  ['', 'a=0.3', 0.3],
  ['weighted_average', 'a=1 b=0', 0.5],
  ['{type: weighted_average}', 'a=1 b=0 c=0.5', 0.5],
  ['', 'a=1*3 b=0', 0.75],
  ['', 'a=1*0.2 b=0.5*0.8', 0.6],
  ['', 'a=1*0 b=0.5', 0.5],
  ['{type: weighted_average, weights: {a: 3, b: 1}}', 'a=1 b=0', 0.75],
  ['{type: weighted_average, weights: {a: 3, b: 1}}', 'a=1*1 b=0*9', 0.75],
  ['{type: weighted_average, weights: {a: 4}}', 'a=1 b=0', 0.8],
  ['{type: weighted_average, weights: {a: 1}}', 'a=1*9 b=0*4', 0.2],
  ['{type: weighted_average, weights: {a: 0}}', 'a=0 b=0.7', 0.7],
  ['{type: weighted_average, weights: {a: 1}}', 'a=0.3*0 b=0.5*0', 0.3],
  ['{type: weighted_average, weights: {}}', 'a=1*3 b=0', 0.75],
  ['', 'a=1 b=0 c=0', 1 / 3],
  ['', 'a=0.1 b=0.2 c=0.3', 0.2],
  ['', 'a=1~ b=1', 0.5],
  ['', 'a=0.3~', 0.7],
]

const minimumAndMaximum: Case[] = [
  ['minimum', 'a=1 b=0.4 c=0.7', 0.4],
  ['{type: minimum}', 'a=1 b=1', 1],
  ['minimum', 'a=1*9 b=0', 0],
  ['minimum', 'a=1 b=0*0', 0],
  ['minimum', 'a=0.6', 0.6],
  ['minimum', 'a=1~ b=1', 0],
  ['maximum', 'a=0.2 b=0.4 c=0', 0.4],
  ['{type: maximum}', 'a=0 b=0', 0],
  ['maximum', 'a=0*9 b=1', 1],
  ['maximum', 'a=0 b=0.5*0', 0.5],
  ['maximum', 'a=0.3~ b=0.6', 0.7],
]

const safetyGate: Case[] = [
  ['{type: safety_gate, required: [a]}', 'a=1 b=0', 0.5],
  ['{type: safety_gate, required: [a]}', 'a=0.6 b=1', 0.8],
  ['{type: safety_gate, required: [a]}', 'a=0.55 b=1', 0],
  ['{type: safety_gate, required: [b]}', 'a=1 b=0', 0],
  ['{type: safety_gate, required: [a, b]}', 'a=1 b=0.5 c=1', 0],
  ['{type: safety_gate, required: [a, b]}', 'a=1 b=0.7 c=0.1', 0.6],
  ['{type: safety_gate, required: [a], threshold: 1}', 'a=0.95 b=1', 0],
  ['{type: safety_gate, required: [a], threshold: 0.9}', 'a=0.9 b=0.5', 0.7],
  ['{type: safety_gate, required: [a], threshold: 0}', 'a=0 b=1', 0.5],
  ['{type: safety_gate, required: [a], threshold: 0.3}', 'a=0.7~ b=0.5', 0.4],
  ['{type: safety_gate, required: [a], weights: {a: 0}}', 'a=1 b=0.3', 0.3],
  ['{type: safety_gate, required: [a], weights: {b: 3}}', 'a=1 b=0', 0.25],
  ['{type: safety_gate, required: [a]}', 'a=1*3 b=0', 0.75],
  ['{type: safety_gate, required: [a]}', 'a=1~ b=1', 0],
  ['{type: safety_gate, required: [a]}', 'a=0~ b=0', 0.5],
  ['{type: safety_gate, required: [a]}', 'a=0*0 b=1', 0],
]

const allOrNothing: Case[] = [
  ['all_or_nothing', 'a=0.8 b=1', 0.9],
  ['all_or_nothing', 'a=0.75 b=1', 0],
  ['all_or_nothing', 'a=1 b=0*0', 0],
  ['{type: all_or_nothing, threshold: 0.5}', 'a=0.5 b=0.7', 0.6],
  ['{type: all_or_nothing, threshold: 0.5}', 'a=0.45 b=1', 0],
  ['{type: all_or_nothing, threshold: 1}', 'a=0.95 b=1', 0],
  ['{type: all_or_nothing, threshold: 0}', 'a=0 b=1', 0.5],
  ['all_or_nothing', 'a=0.8*3 b=1', 0.85],
  ['{type: all_or_nothing, weights: {b: 3}}', 'a=0.8 b=1', 0.95],
  ['all_or_nothing', 'a=0.2~ b=0~', 0.9],
]

const threshold: Case[] = [
  ['{type: threshold, threshold: 0.5}', 'a=1 b=0', 1],
  ['{type: threshold, threshold: 0.51}', 'a=1 b=0', 0],
  ['{type: threshold, threshold: 1}', 'a=0.8 b=0.9', 1],
  ['{type: threshold, threshold: 1}', 'a=0.75 b=1', 0],
  ['{type: threshold, threshold: 0.6}', 'a=1 b=1 c=1 d=0 e=0', 1],
  ['{type: threshold, threshold: 0}', 'a=0', 1],
  // The share of passed children, regardless of their weights and thresholds.
  ['{type: threshold, threshold: 0.5}', 'a=1*0 b=0*9', 1],
  ['{type: threshold, threshold: 1}', 'a=0.5!0.5 b=1', 0],
  ['{type: threshold, threshold: 1}', 'a=0.8!0.9 b=1', 1],
]

describe.each([
  ['weighted_average', weightedAverage],
  ['minimum and maximum', minimumAndMaximum],
  ['safety_gate', safetyGate],
  ['all_or_nothing', allOrNothing],
  ['threshold', threshold],
])('%s', (_, cases) => {
  it.each(cases)('{%s} of %s: %d', async (aggregator, children, score) => {
    const checks = [compositeOf(aggregator, children), compositeOf(aggregator, children, 'negate: true')]
    const [plain, negated] = await gradeChecks(checks, ANSWER)
    expect(plain?.error).toBeUndefined()
    expect(plain?.score).toBeCloseTo(score, 9)
    expect(negated?.score).toBeCloseTo(1 - score, 9)
    expect([negated?.hits, negated?.misses]).toEqual([plain?.misses, plain?.hits])
    expect(plain?.evaluator_results).toHaveLength(children.split(' ').length)
  })
})

const YES = '{name: says-yes, type: contains, value: "yes"}'
const NO = '{name: says-no, type: contains, value: "no"}'
const MAYBE = '{name: says-maybe, type: contains, value: maybe}'
const NOT_MAYBE = '{name: not-maybe, type: contains, value: maybe, negate: true}'

describe('nested', () => {
  it('has its own aggregator at each of three levels', async () => {
    const deepest = compositeOf('maximum', 'x=0.2 y=0.4', 'name: deepest')
    const middle = compositeOf('minimum', [deepest, scored(0.9, 'name: z')], 'name: middle, negate: true')
    const [top] = await gradeChecks([compositeOf('', [middle, scored(1, 'name: w, weight: 3')], 'name: top')], ANSWER)
    expect(top?.score).toBeCloseTo((1 - 0.4 + 3) / 4, 9)
    const [second, last] = top?.evaluator_results ?? []
    expect([second?.name, second?.score, last?.name, last?.score]).toEqual(['middle', 0.6, 'w', 1])
    const [third] = second?.evaluator_results ?? []
    expect([third?.name, third?.score]).toEqual(['deepest', 0.4])
    expect(third?.evaluator_results?.map(({ name, score }) => [name, score])).toEqual([
      ['x', 0.2],
      ['y', 0.4],
    ])
  })

  it('prefixes hits and misses with the name of the child at every level', async () => {
    const inner = compositeOf('', [YES, MAYBE], 'name: inner')
    const [result] = await gradeChecks([compositeOf('', [inner, NO, NOT_MAYBE])], ANSWER)
    expect(result).toMatchObject({
      hits: ['inner: says-yes: contains "yes"', 'says-no: contains "no"', 'not-maybe: does not contain "maybe"'],
      misses: ['inner: says-maybe: does not contain "maybe"'],
    })
    expect(result?.score).toBeCloseTo(2.5 / 3, 9)
  })

  it('a negated child of a negated parent is not negated', async () => {
    const child = '{name: c, type: contains, value: "yes", negate: true}'
    const [result] = await gradeChecks([compositeOf('', [child], 'negate: true')], ANSWER)
    expect(result).toMatchObject({ score: 1, passed: true, hits: ['c: must not contain "yes", but does'], misses: [] })
    expect(result?.evaluator_results).toMatchObject([
      { score: 0, hits: [], misses: ['must not contain "yes", but does'] },
    ])
  })

  it.each(['evaluators', 'assert', 'assertions'])('accepts the checks as %s', async key => {
    const [result] = await gradeChecks([`{type: composite, ${key}: [${YES}, ${MAYBE}]}`], ANSWER)
    expect(result).toMatchObject({ score: 0.5, evaluator_results: [{ name: 'says-yes' }, { name: 'says-maybe' }] })
  })

  it('children keep their fields', async () => {
    const [result] = await gradeChecks([compositeOf('minimum', 'a=0.5*2!0.4 b=0.9!0.95')], ANSWER)
    expect(result?.evaluator_results).toMatchObject([
      { name: 'a', score: 0.5, weight: 2, required: 0.4, passed: true },
      { name: 'b', score: 0.9, weight: 1, required: 0.95, passed: false },
    ])
  })
})

describe('a child that cannot be judged makes the parent an error', () => {
  const error = {
    code: 'not-reported',
    message: 'e: the target reported no cost, and has no `price` to compute it from',
  }

  it.each<[aggregator: string, children: string]>([
    ['', 'a=1 e=?'],
    ['', 'e=? a=0'],
    ['', 'a=1 e=?*0!0.5'],
    ['{type: weighted_average, weights: {e: 0}}', 'a=1 e=?!0.5'],
    ['{type: weighted_average, weights: {e: 1}}', 'a=1 e=?*0'],
    ['', 'a=1 e=?~'],
    ['minimum', 'a=0 e=?'],
    ['minimum', 'a=1 e=?*0'],
    ['maximum', 'a=1 e=?'],
    ['maximum', 'e=?~ a=1'],
    ['all_or_nothing', 'a=0 e=?'],
    ['{type: threshold, threshold: 0}', 'a=1 e=?'],
    ['{type: threshold, threshold: 0.5}', 'a=1 b=1 e=?'],
    // The gate is open.
    ['{type: safety_gate, required: [a]}', 'a=1 e=?'],
    // The gate cannot be judged, alone or next to a closed one.
    ['{type: safety_gate, required: [e]}', 'a=1 e=?'],
    ['{type: safety_gate, required: [e], threshold: 0}', 'a=1 e=?'],
    ['{type: safety_gate, required: [e]}', 'a=1 e=?~'],
    ['{type: safety_gate, required: [a, e]}', 'a=0 e=?'],
    ['{type: safety_gate, required: [e, a]}', 'a=0 e=? b=1'],
  ])('{%s} of %s', async (aggregator, children) => {
    const inner = compositeOf(aggregator, children, 'name: inner')
    const checks = [
      compositeOf(aggregator, children),
      compositeOf(aggregator, children, 'negate: true'),
      compositeOf('maximum', [scored(1, 'name: good'), inner], 'negate: true'),
    ]
    const [plain, negated, outer] = await gradeChecks(checks, ANSWER)
    for (const result of [plain, negated, outer]) {
      expect(result).toMatchObject({ score: null, passed: false, hits: [], misses: [] })
      expect(judgeChecks([result!])).toEqual({ score: null, verdict: 'error' })
    }
    expect([plain?.error, negated?.error]).toEqual([error, error])
    expect(outer?.error).toEqual({ ...error, message: `inner: ${error.message}` })
    expect(plain?.evaluator_results?.find(({ name }) => name === 'e')).toMatchObject({ score: null, passed: false })
  })

  it('with the results of the other children', async () => {
    const [result] = await gradeChecks([compositeOf('', [YES, `{name: e, ${UNJUDGED}}`, MAYBE])], ANSWER)
    expect(result?.evaluator_results).toMatchObject([
      { name: 'says-yes', score: 1 },
      {
        name: 'e',
        score: null,
        error: {
          code: 'not-reported',
          message: 'the target reported no cost, and has no `price` to compute it from',
        },
      },
      { name: 'says-maybe', score: 0 },
    ])
  })
})

describe('a child that cannot be judged and has no weight', () => {
  it.each<[aggregator: string, children: string, score: number]>([
    ['', 'a=1 e=?*0', 1],
    ['', 'e=?*0 a=0.3 b=0.5', 0.4],
    ['', 'a=1 e=?*0~', 1],
    ['{type: weighted_average, weights: {e: 0}}', 'a=1 e=?', 1],
    ['{type: weighted_average, weights: {e: 0}}', 'a=0.4 e=?*9', 0.4],
  ])('does not change the score of {%s} of %s: %d', async (aggregator, children, score) => {
    const checks = [compositeOf(aggregator, children), compositeOf(aggregator, children, 'negate: true')]
    const [plain, negated] = await gradeChecks(checks, ANSWER)
    expect([plain?.error, negated?.error]).toEqual([undefined, undefined])
    expect(plain?.score).toBeCloseTo(score, 9)
    expect(negated?.score).toBeCloseTo(1 - score, 9)
    const child = plain?.evaluator_results?.find(({ name }) => name === 'e')
    expect(child).toMatchObject({ score: null, passed: false, error: { code: 'not-reported' } })
  })

  it('makes the test an error if a check inside it is required', async () => {
    const inner = compositeOf('', 'e=?!0.5', 'name: inner, weight: 0')
    for (const checks of [[scored(1), inner], [compositeOf('', [scored(1, 'name: a'), inner])]])
      expect(judgeChecks(await gradeChecks(checks, ANSWER))).toEqual({ score: null, verdict: 'error' })
  })

  it('is ignored with its children if it is negated', async () => {
    const inner = compositeOf('', 'e=?!0.5', 'name: inner, weight: 0, negate: true')
    expect(judgeChecks(await gradeChecks([scored(1), inner], ANSWER))).toEqual({ score: 1, verdict: 'pass' })
  })
})

describe('before the run', () => {
  it.each<[aggregator: string, children: string, code: string]>([
    ['{type: weighted_average, weights: {c: 1}}', 'a=1 b=1', 'unknown-name'],
    ['{type: safety_gate, required: [c]}', 'a=1 b=1', 'unknown-name'],
    ['{type: safety_gate, required: [a], weights: {c: 1}}', 'a=1 b=1', 'unknown-name'],
    ['{type: all_or_nothing, weights: {c: 1}}', 'a=1 b=1', 'unknown-name'],
    ['safety_gate', 'a=1 b=1', 'unknown-name'],
    ['', 'a=1*0 b=1*0', 'zero-weights'],
    ['{type: weighted_average, weights: {a: 0, b: 0}}', 'a=1 b=1', 'zero-weights'],
  ])('{%s} of %s: %s', async (aggregator, children, code) => {
    const { diagnostics } = await loadTestWithDiagnostics([compositeOf(aggregator, children)])
    expect(diagnostics.map(diagnostic => diagnostic.code)).toEqual([code])
  })

  it.each(['average', '{type: weighted_average, weights: {a: -1}}', '{type: all_or_nothing, threshold: 2}', '{}'])(
    'rejects aggregator: %s',
    async aggregator => {
      expect((await loadTestWithDiagnostics([compositeOf(aggregator, 'a=1')])).diagnostics.length).toBeGreaterThan(0)
    },
  )
})
