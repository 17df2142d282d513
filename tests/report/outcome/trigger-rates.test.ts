import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { ResultIndex } from '../../../src/record/result-index.ts'
import { json } from '../../../src/report/json.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { checkResult, runOf, triggerResult } from '../../support/recorded-run.ts'
import { attempt, type Counts, ratesOf, setOf } from '../../support/trigger-results.ts'

describe('precision, recall and F1', () => {
  it.each<[counts: Counts, precision: number | null, recall: number | null, f1: number | null, suspect: boolean]>([
    [[12, 2, 0, 0], 12 / 14, 1, 24 / 26, false],
    [[3, 1, 4, 2], 3 / 4, 3 / 5, 6 / 9, false],
    [[1, 0, 1, 0], 1, 1, 1, false],
    [[0, 1, 0, 1], 0, 0, 0, false],
    [[0, 2, 3, 0], 0, null, 0, false],
    [[4, 0, 0, 0], 1, 1, 1, false],
    [[0, 0, 5, 0], null, null, null, false],
    // If the skill is never used, the harness is suspect.
    [[0, 0, 5, 5], null, 0, 0, true],
    [[0, 0, 0, 1], null, 0, 0, true],
    [[0, 1, 9, 9], 0, 0, 0, false],
    [[1, 0, 9, 9], 1, 1 / 10, 2 / 11, false],
  ])('of %j (tp, fp, tn, fn): %d, %d, %d', (counts, precision, recall, f1, harness_suspect) => {
    const [tp, fp, tn, fn] = counts
    expect(ratesOf(setOf(counts))).toMatchObject([
      { skill: 'csv', target: 'default', tp, fp, tn, fn, unjudged: 0, precision, recall, f1, harness_suspect },
    ])
  })

  const counts = fc.tuple(...[1, 2, 3, 4].map(() => fc.nat(6))) as fc.Arbitrary<Counts>
  const ofCounts = (counts: Counts) => ratesOf(setOf(counts))[0]

  it('are between 0 and 1, with F1 between the other two', () => {
    fc.assert(
      fc.property(counts, counts => {
        const rates = ofCounts(counts)
        const { precision = null, recall = null, f1 = null } = rates ?? {}
        for (const figure of [precision, recall, f1]) {
          if (figure !== null) expect(figure >= 0 && figure <= 1).toBe(true)
        }
        if (precision !== null && recall !== null) {
          expect(f1).toBeGreaterThanOrEqual(Math.min(precision, recall) - 1e-12)
          expect(f1).toBeLessThanOrEqual(Math.max(precision, recall) + 1e-12)
        }
        const [tp, fp, , fn] = counts
        expect(precision === null).toBe(tp + fp === 0)
        expect(recall === null).toBe(tp + fn === 0)
        expect(f1 === null).toBe(tp + fp + fn === 0)
      }),
    )
  })

  it('swap hits with false alarms and misses with true negatives if expectations are swapped', () => {
    const swapped = (results: readonly Partial<Result>[]) =>
      results.map(({ test_id = '', evaluator_results: [check] = [] }) =>
        attempt(test_id, [triggerResult('csv', !check?.trigger?.should_trigger, check?.trigger?.triggered)]),
      )
    fc.assert(
      fc.property(counts, counts => {
        const [before] = ratesOf(setOf(counts))
        const [after] = ratesOf(swapped(setOf(counts)))
        expect([after?.tp, after?.fp, after?.tn, after?.fn]).toEqual([before?.fp, before?.tp, before?.fn, before?.tn])
        if (before?.precision != null) expect(after?.precision).toBeCloseTo(1 - before.precision, 12)
      }),
    )
  })

  it('do not depend on the order of the results', () => {
    const results = setOf([3, 1, 4, 2])
    const [a] = ratesOf(results)
    const [b] = ratesOf(results.toReversed())
    const { queries, ...figures } = b ?? { queries: [] }
    expect(a).toMatchObject(figures)
    expect(queries.toReversed()).toEqual(a?.queries)
  })
})

describe('queries', () => {
  const trials = (test_id: string, should: boolean, ...did: (boolean | undefined)[]) =>
    did.map((triggered, index) => attempt(test_id, [triggerResult('csv', should, triggered)], { trial: index + 1 }))

  it('have a rate over all their trials', () => {
    const [rates] = ratesOf([
      ...trials('always', true, true, true, true),
      ...trials('sometimes', true, false, true, false),
      ...trials('never', false, false, false, false),
    ])
    expect(rates).toMatchObject({ tp: 4, fp: 0, tn: 3, fn: 2, precision: 1, recall: 4 / 6, f1: 8 / 10 })
    const shared = { suite: 'suite', file: 'EVAL.yaml', judged: 3, unjudged: 0, unanswered: 0, threshold: 0.5 }
    const rate_interval = { low: expect.any(Number), high: expect.any(Number) }
    expect(rates?.queries).toEqual([
      { ...shared, test_id: 'always', should_trigger: true, triggered: 3, rate: 1, rate_interval, pass: true },
      { ...shared, test_id: 'sometimes', should_trigger: true, triggered: 1, rate: 1 / 3, rate_interval, pass: false },
      { ...shared, test_id: 'never', should_trigger: false, triggered: 0, rate: 0, rate_interval, pass: true },
    ])
  })

  it.each<[triggered: number, of: number, threshold: number | undefined, used: boolean]>([
    [1, 2, undefined, true],
    [1, 3, undefined, false],
    [2, 3, undefined, true],
    [0, 3, undefined, false],
    [3, 5, 0.6, true],
    [7, 10, 0.7, true],
    [2, 3, 0.67, false],
    [2, 3, 1, false],
    [3, 3, 1, true],
    [0, 3, 0, true],
  ])('that used a skill %d times of %d count as using it at %s: %s', (triggered, of, trigger_threshold, used) => {
    const did = Array.from({ length: of }, (_, index) => index < triggered)
    const pass = (should: boolean, more: Partial<Result> = {}) =>
      ratesOf(trials('a', should, ...did).map(result => ({ ...result, ...more })))[0]?.queries[0]?.pass
    const recorded = trigger_threshold === undefined ? {} : { trigger_threshold }
    expect([pass(true, recorded), pass(false, recorded)]).toEqual([used, !used])
  })

  it('have no verdict if no trial was judged', () => {
    expect(ratesOf(trials('a', false, undefined))[0]?.queries).toMatchObject([{ rate: null, pass: null }])
  })

  it('without a judgement are reported separately', () => {
    const [rates] = ratesOf([...trials('a', true, true, undefined), ...trials('b', false, undefined, undefined)])
    expect(rates).toMatchObject({ tp: 1, fp: 0, tn: 0, fn: 0, unjudged: 3, harness_suspect: false })
    expect(rates?.queries).toMatchObject([
      { test_id: 'a', judged: 1, unjudged: 1, rate: 1 },
      { test_id: 'b', judged: 0, unjudged: 2, rate: null },
    ])
  })

  it('without any judgement do not make the harness suspect', () => {
    expect(ratesOf(trials('a', true, undefined))).toMatchObject([
      { unjudged: 1, precision: null, recall: null, f1: null, harness_suspect: false },
    ])
  })

  it('with the same id in two suites are counted separately', () => {
    const checks = [triggerResult('csv', true, true)]
    const [rates] = ratesOf([attempt('a', checks), attempt('a', checks, { suite: 'other', file: 'b.eval.yaml' })])
    expect(rates?.queries.map(({ suite, file }) => [suite, file])).toEqual([
      ['suite', 'EVAL.yaml'],
      ['other', 'b.eval.yaml'],
    ])
  })

  it('with contradicting expectations are counted separately', () => {
    const [rates] = ratesOf([attempt('a', [triggerResult('csv', true, true), triggerResult('csv', false, true)])])
    expect(rates).toMatchObject({ tp: 1, fp: 1, tn: 0, fn: 0 })
    expect(rates?.queries.map(({ should_trigger }) => should_trigger)).toEqual([true, false])
  })
})

describe('attempts without an answer', () => {
  const judged = (test_id: string, more: Partial<Result> = {}) =>
    attempt(test_id, [triggerResult('csv', true, true)], more)
  const crashed = (test_id: string, more: Partial<Result> = {}): Partial<Result> => {
    const error = { code: 'timeout', stage: 'answer', message: 'took too long' } as const
    return attempt(test_id, [], { answer: null, score: null, verdict: 'error', error, ...more })
  }

  it('are counted for their target', () => {
    const results = [crashed('a'), judged('b'), crashed('c'), judged('b', { target: 'other' })]
    expect(ratesOf(results)).toMatchObject([
      { target: 'default', tp: 1, unanswered: 2 },
      { target: 'other', tp: 1, unanswered: 0 },
    ])
  })

  it('are assigned to the skill that another trial reveals', () => {
    const pdf = attempt('b', [triggerResult('pdf', true, true)])
    const plain = attempt('c', [checkResult()])
    const again = { trial: 2 }
    const results = [judged('a'), pdf, plain, ...['a', 'b', 'c'].map(id => crashed(id, again)), crashed('d')]
    expect(ratesOf(results)).toMatchObject([
      { skill: 'csv', unanswered: 2 },
      { skill: 'pdf', unanswered: 2 },
    ])
  })
})

describe('several skills and targets', () => {
  it('are kept apart, in order of first appearance', () => {
    const both = (pdf: boolean, csv: boolean) => [triggerResult('pdf', false, pdf), triggerResult('csv', true, csv)]
    const rates = ratesOf([
      attempt('a', both(false, true), { target: 'one' }),
      attempt('a', both(true, false), { target: 'two' }),
      attempt('b', [triggerResult('csv', true, true)], { target: 'one' }),
    ])
    expect(rates.map(({ skill, target, tp, fp, tn, fn }) => [skill, target, tp, fp, tn, fn])).toEqual([
      ['pdf', 'one', 0, 0, 1, 0],
      ['csv', 'one', 2, 0, 0, 0],
      ['pdf', 'two', 0, 1, 0, 0],
      ['csv', 'two', 0, 0, 0, 1],
    ])
    expect(rates.map(({ harness_suspect }) => harness_suspect)).toEqual([false, false, false, true])
  })

  it('are kept apart if their joined names are equal', () => {
    const rates = ratesOf([
      attempt('x', [triggerResult('a","b', true, true)], { target: 'c' }),
      attempt('x', [triggerResult('a', true, true)], { target: 'b","c' }),
    ])
    expect(rates).toHaveLength(2)
  })

  it('include nested checks at any depth', () => {
    const inner = [triggerResult('csv', true, true), checkResult()]
    const inside = checkResult({ type: 'composite', evaluator_results: inner })
    const outer = [inside, triggerResult('csv', false, true)]
    const deep = checkResult({ type: 'composite', score: 0, evaluator_results: outer })
    expect(ratesOf([attempt('a', [deep, checkResult()])])).toMatchObject([{ tp: 1, fp: 1, tn: 0, fn: 0 }])
  })
})

describe('in JSON', () => {
  const summaryOf = (results: readonly Partial<Result>[]) =>
    JSON.parse([...json.render(runOf(results))].flatMap(({ text }) => [...text]).join('')).summary

  it('are under summary.triggers, with null for unknown values', () => {
    expect(summaryOf([attempt('a', [triggerResult('csv', false, false)])]).triggers).toEqual([
      {
        skill: 'csv',
        target: 'default',
        tp: 0,
        fp: 0,
        tn: 1,
        fn: 0,
        unjudged: 0,
        unanswered: 0,
        precision: null,
        recall: null,
        f1: null,
        limits: [
          'no judged query should use the skill: recall is unknown, and F1 says nothing',
          'only one query should leave the skill unused: precision and F1 say little about unwanted use',
          'the skill was never used: precision is unknown',
        ],
        harness_suspect: false,
        queries: [
          {
            suite: 'suite',
            file: 'EVAL.yaml',
            test_id: 'a',
            should_trigger: false,
            triggered: 0,
            judged: 1,
            unjudged: 0,
            unanswered: 0,
            rate: 0,
            threshold: 0.5,
            pass: true,
          },
        ],
      },
    ])
  })

  it('are absent if no check is about a skill', () => {
    expect(summaryOf([attempt('a', [checkResult()])])).not.toHaveProperty('triggers')
  })
})

it('reads a run without trigger checks only once', () => {
  const run = runOf([attempt('a', [checkResult()])])
  let passes = 0
  const facts = () => {
    passes++
    return run.facts()
  }
  const counted = { ...run, facts, results: () => expect.unreachable() }
  expect(outcomeOf(counted).triggers).toBeUndefined()
  expect(passes).toBe(1)
  expect([...run.facts()][0]?.triggers).toBeUndefined()
})

it('shares equal triggers of a hundred thousand answers', () => {
  const index = new ResultIndex(() => '')
  const results = [...runOf(setOf([2, 0, 0, 1])).results()].map(result => JSON.parse(JSON.stringify(result)))
  for (const result of results) index.add(result, { offset: 0, length: 0 })
  const [first, second, other] = [...index.facts()].map(({ triggers }) => triggers)
  expect(second).toBe(first)
  expect(other).not.toBe(first)
  expect(other).toEqual([{ skill: 'csv', should_trigger: true, triggered: false }])
})
