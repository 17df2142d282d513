import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { csv } from '../../src/report/csv.ts'
import { explainAttempt } from '../../src/report/explain.ts'
import { github } from '../../src/report/github.ts'
import { RowPacker } from '../../src/report/html/packed-rows.ts'
import { json } from '../../src/report/json.ts'
import { junit } from '../../src/report/junit.ts'
import { markdown } from '../../src/report/markdown.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { reasonsOf } from '../../src/report/reasons.ts'
import { skillCreator } from '../../src/report/skill-creator.ts'
import { text } from '../../src/report/text.ts'
import { filesOf, jsonOf } from '../support/external/skill-creator.ts'
import { checkResult, renderReport, resultWith, runOf, triggerResult } from '../support/recorded-run.ts'

const TOTAL = checkResult({ name: 'total', text: 'Output contains the total', hits: ['contains the total'] })
const MISSED = checkResult({ ...TOTAL, score: 0, passed: false, hits: [], misses: ['lacks the total'] })
const NOT_APPLICABLE = { score: null, passed: false, not_applicable: true as const }

/** A required check of a skill that the target does not have, and one of its style. */
const SKILL = { ...triggerResult('csv', true), error: undefined, name: 'skill', required: 0.8, ...NOT_APPLICABLE }
const STYLE = checkResult({ name: 'style', text: 'Looks like a report', weight: 5, ...NOT_APPLICABLE })

const passed: Partial<Result> = {
  test_id: 'report',
  target: 'without',
  evaluator_results: [TOTAL, { ...SKILL }, { ...STYLE }],
}
const failed: Partial<Result> = {
  ...passed,
  test_id: 'sum',
  evaluator_results: [MISSED, { ...SKILL }, { ...STYLE }],
  score: 0,
  verdict: 'fail',
  misses: ['lacks the total'],
}
const graded: Partial<Result> = {
  test_id: 'report',
  target: 'with',
  evaluator_results: [TOTAL, { ...triggerResult('csv', true, true), name: 'skill' }, checkResult({ name: 'style' })],
}
const RUN = runOf([graded, passed, failed], {
  not_applicable: [{ suite: 'suite', file: 'EVAL.yaml', target: 'without', test_ids: ['a', 'b'] }],
})

describe('a check that does not apply to the target', () => {
  it('is no reason for a verdict', () => {
    expect(reasonsOf(resultWith(failed))).toEqual(['lacks the total'])
    expect(reasonsOf(resultWith(passed))).toEqual([])
  })

  it('is n/a in the explanation, and has no part in the score', () => {
    const explained = explainAttempt(resultWith(failed), file => file)
    expect(explained).toContain('├─ skill: n/a, does not apply to without\n')
    expect(explained).toContain('└─ style: n/a, does not apply to without\n')
    expect(explained).toContain('score = (0 × 1) / 1 = 0\nverdict: fail (pass from 0.8, borderline from 0.6)\n')
    expect(explained).not.toContain('missed:')
  })

  it('cannot bring forged lines into the explanation by the name of the target', () => {
    const explained = explainAttempt(resultWith({ ...passed, target: 'x\n└─ total: 1 × 1\u001B[2J' }), file => file)
    expect(explained).toContain('├─ skill: n/a, does not apply to x↵└─ total: 1 × 1␛[2J\n')
  })

  it('is n/a inside of a composite', () => {
    const composite = checkResult({ name: 'both', evaluator_results: [TOTAL, { ...STYLE }] })
    const explained = explainAttempt(resultWith({ target: 'one', evaluator_results: [composite] }), file => file)
    expect(explained).toContain('   └─ style: n/a, does not apply to one\n')
  })

  it('is n/a in the table of attempts', () => {
    const [head, ...rows] = renderReport(csv, RUN).split('\r\n')
    expect(head).toMatch(/,check\.total,check\.skill,check\.style$/)
    expect(rows.slice(0, 3).map(row => row.split(',').slice(-3).join(' '))).toEqual(['1 1 1', '1 n/a n/a', '0 n/a n/a'])
  })

  it('is neither a check nor a miss of the rows on the page', () => {
    const packer = new RowPacker()
    const [, , outcome] = outcomeOf(RUN).tests
    if (!outcome) throw new Error('the run has no third test')
    const row = packer.rowOf(outcome, [resultWith(failed)])
    expect([packer.tables.checks, row.slice(14, 16)]).toEqual([['total'], [[0], [0]]])
  })

  it('is no expectation of skill-creator', () => {
    const grading = jsonOf(RUN, 'eval-1-report/without_skill/run-1/grading.json')
    expect(grading).toMatchObject({ summary: { passed: 1, failed: 0, total: 1 } })
    expect(JSON.stringify(filesOf(RUN))).not.toMatch(/without_skill[^}]*Looks like a report/)
    expect(skillCreator.notes?.(RUN, {})).toContain('2 tests do not apply to without')
  })

  it('has no part in the rates of skills', () => {
    expect(outcomeOf(RUN).triggers).toMatchObject([{ target: 'with', tp: 1, unjudged: 0, unanswered: 0 }])
  })

  it('is no failed check of the summary', () => {
    const summary = renderReport(text, RUN)
    expect(summary).toContain('fail sum on without score 0.00')
    expect(summary).toContain('  total EVAL.yaml:1\n    lacks the total\n')
    expect(summary).not.toMatch(/^ {2}(skill|style)/m)
  })
})

describe('tests that do not apply to a target, or only in part', () => {
  const notes = ['2 tests do not apply to without', '2 tests have checks that do not apply to without']

  it('are counted in the summary', () => {
    expect(renderReport(text, RUN)).toContain(
      `${notes.join('\n')}\n2 tests on 2 targets (3 cases): 2 passed, 1 failed\n`,
    )
    expect(JSON.parse(renderReport(json, RUN)).summary.not_applicable).toEqual([
      { target: 'without', tests: 2, tests_in_part: 2 },
    ])
  })

  it.each([
    ['markdown', markdown],
    ['junit', junit],
    ['github', github],
  ] as const)('are counted in %s', (_, reporter) => {
    for (const note of notes) expect(renderReport(reporter, RUN)).toContain(note)
  })

  it('are counted once for several trials, whatever errors they have', () => {
    const unanswered: Partial<Result> = {
      ...passed,
      trial: 1,
      evaluator_results: [],
      score: null,
      verdict: 'error',
      answer: null,
      error: { code: 'timeout', stage: 'answer', message: 'took too long' },
    }
    const run = runOf([unanswered, { ...passed, trial: 2 }, { ...passed, trial: 3 }])
    expect(outcomeOf(run).not_applicable).toEqual([{ target: 'without', tests: 0, tests_in_part: 1 }])
  })
})
