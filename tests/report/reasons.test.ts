import { describe, expect, it } from 'vitest'
import type { EvaluatorResult, RubricItem } from '../../src/model/evaluator-result.ts'
import type { Result } from '../../src/model/result.ts'
import { csv } from '../../src/report/csv.ts'
import { explainAttempt } from '../../src/report/explain.ts'
import { github } from '../../src/report/github.ts'
import { html } from '../../src/report/html.ts'
import { junit } from '../../src/report/junit.ts'
import { markdown } from '../../src/report/markdown.ts'
import { headline, reasonsOf } from '../../src/report/reasons.ts'
import { text } from '../../src/report/text.ts'
import { checkResult, renderReport, resultWith, runOf } from '../support/recorded-run.ts'

const failed = (...checks: Partial<EvaluatorResult>[]): Partial<Result> => ({
  test_id: 'refund',
  score: 0,
  verdict: 'fail',
  misses: checks.flatMap(({ misses = [] }) => misses),
  evaluator_results: checks.map(check => checkResult({ score: 0, ...check })),
})
const reasons = (...checks: Partial<EvaluatorResult>[]) => reasonsOf(resultWith(failed(...checks)))

const item = (more: Partial<RubricItem>): RubricItem => ({
  ...{
    id: 'a',
    text: 'Is brief',
    satisfied: false,
    weight: 1,
    required: false,
    passed: false,
    reasoning: 'It rambles.',
  },
  ...more,
})

describe('the reasons of a failed attempt', () => {
  it('are the misses of the failed checks only', () => {
    const passed = { score: 1, passed: true, misses: ['does not contain "red"'] }
    expect(reasons(passed, { misses: ['is late'] })).toEqual(['is late'])
  })

  it('name an unsatisfied rubric item with the reasoning of the judge', () => {
    expect(reasons({ items: [item({})], misses: ['Is brief'] })).toEqual(['not satisfied: Is brief — It rambles.'])
  })

  it('name required items, and scores below the pass threshold', () => {
    const items = [
      item({ required: true }),
      item({ satisfied: undefined, score: 6, passed: true, text: 'Is kind', reasoning: ' ' }),
      item({ satisfied: undefined, score: 9, passed: true, text: 'Is right' }),
    ]
    expect(reasons({ items, misses: ['Is brief (required)'] })).toEqual([
      'not satisfied (required): Is brief — It rambles.',
      '6 of 10: Is kind',
    ])
  })

  it('name the findings of a negated check, also in old records', () => {
    expect(reasons({ negate: true, misses: ['must not contain "x", but does'] })).toEqual([
      'must not contain "x", but does',
    ])
    expect(reasons({ negate: true, misses: ["contains 'x'"] })).toEqual(["must not hold, but does: contains 'x'"])
    const items = [item({ satisfied: true, passed: true }), item({})]
    expect(reasons({ negate: true, items, misses: ['Is brief'] })).toEqual([
      'must not hold, but does: satisfied: Is brief — It rambles.',
    ])
  })

  it('name score and reasoning of a judge without misses', () => {
    expect(reasons({ score: 0.4, reasoning: 'Too\nlong.' })).toEqual(['score 0.4, at least 0.8 required — Too↵long.'])
    expect(reasons({ score: 0.4, required: 0.5 })).toEqual(['score 0.4, at least 0.5 required'])
  })

  it('name the original score and reasoning of a negated judge', () => {
    expect(reasons({ negate: true, score: 0 })).toEqual(['must not hold, but does: score 1, at most 0.2 allowed'])
    expect(reasons({ negate: true, score: 0.3, required: 0.9, reasoning: 'Rude\nin part.' })).toEqual([
      'must not hold, but does: score 0.7, at most 0.1 allowed — Rude↵in part.',
    ])
    expect(reasons({ negate: true, score: 0.7999 })).toEqual([
      'must not hold, but does: score 0.2001, at most 0.2 allowed',
    ])
  })

  it('name nested checks once each', () => {
    const inside = [
      checkResult({ name: 'polite', score: 0, misses: ['is rude'], required: 0.8 }),
      checkResult({ name: 'brief' }),
    ]
    expect(reasons({ evaluator_results: inside, misses: ['polite: is rude', 'brief: x'] })).toEqual(['polite: is rude'])
  })

  it('are the misses of the attempt if no check failed', () => {
    expect(reasonsOf(resultWith({ verdict: 'borderline', score: 0.7, misses: ['not quite'] }))).toEqual(['not quite'])
  })
})

describe('the headline of a reason', () => {
  it.each([
    ['one\ntwo', 'one'],
    ['\n  one  \n', 'one'],
    ['missing:\n- the date\n- the price', 'missing: - the date'],
    ['ends with:', 'ends with:'],
    ['', ''],
  ])('%j is %j', (reason, line) => {
    expect(headline(reason)).toBe(line)
  })
})

describe('every report has the same line', () => {
  const LINE = 'issue_refund was called with {"amount": 42.5}, expected {"amount": 40}'
  const run = runOf([failed({ misses: [LINE] })])
  const plain = (report: string) =>
    report
      .replaceAll('&quot;', '"')
      .replaceAll('""', '"')
      .replaceAll('\\"', '"')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

  it.each([text, markdown, junit, csv, github, html])('$type', reporter => {
    expect(plain(renderReport(reporter, run)).replaceAll('\u200b', '')).toContain(LINE)
  })

  it('explain', () => {
    expect(explainAttempt(resultWith(failed({ misses: [LINE] })), file => file)).toContain(`- ${LINE}\n`)
  })
})
