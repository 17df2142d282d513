import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { overviewOf } from '../../src/report/html/overview-data.ts'
import { markdown } from '../../src/report/markdown.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { renderReport, runOf, triggerResult } from '../support/recorded-run.ts'

const query = (test_id: string, text: string, should: boolean, ...did: boolean[]): Partial<Result>[] =>
  did.map((triggered, index) => ({
    test_id,
    trial: index + 1,
    input: [{ role: 'user', content: text }],
    evaluator_results: [triggerResult('csv', should, triggered)],
  }))

const SET = [
  ...query('1', 'Which month is best?', true, true, true, false),
  ...query('2', 'Draw a chart', true, true, true, true),
  ...query('3', 'What time is it?', false, false, false, true),
  ...query('4', 'Tell a joke', false, false, false, false),
]

describe('the trigger table', () => {
  it('is part of the Markdown report', () => {
    expect(renderReport(markdown, runOf(SET))).toContain(`
**csv on default**: 10 of 12 answers to 4 queries correct, precision 0.83 &#91;0.11–1.00&#93;, recall 0.83 &#91;0.02–1.00&#93;, F1 0.83 &#91;0.18–0.99&#93;; 4 of 4 queries passed &#40;trigger threshold 0.5&#41;

| query | expected | trigger rate | verdict |
|---|---|---|---|
| 1 "Which month is best?" | should trigger | 0.67 &#91;0.21–0.94&#93; &#40;2 of 3&#41; | pass |
| 2 "Draw a chart" | should trigger | 1.00 &#91;0.44–1.00&#93; &#40;3 of 3&#41; | pass |
| 3 "What time is it?" | should not trigger | 0.33 &#91;0.06–0.79&#93; &#40;1 of 3&#41; | pass |
| 4 "Tell a joke" | should not trigger | 0.00 &#91;0.00–0.56&#93; &#40;0 of 3&#41; | pass |
`)
  })

  it('is part of the page', () => {
    const run = runOf(SET)
    const [table] = overviewOf(run, outcomeOf(run), {}).triggers
    expect(table).toMatchObject({ title: 'csv on default', notes: [] })
    expect(table?.rows[0]).toEqual(['1 "Which month is best?"', 'should trigger', '0.67 [0.21–0.94] (2 of 3)', 'pass'])
  })

  it('escapes hostile queries and truncates long ones', () => {
    const hostile = `</script>|\n\u001b[31m@admin ${'long '.repeat(100)}`
    const text = renderReport(markdown, runOf(query('1', hostile, true, true)))
    expect(text).toContain('| 1 "&#60;/script&#62;&#124;↵␛&#91;31m&#64;&#8203;admin long')
    expect(text).toContain('…" | should trigger')
    expect(text).not.toContain('\u001b')
  })

  it('lists the most urgent of many queries, in the order of the plan', () => {
    const passed = Array.from({ length: 30 }, (_, index) => query(`${index}`, `q${index}`, true, true)).flat()
    const failed = query('late', 'late', false, true)
    const [table] = overviewOf(runOf([]), outcomeOf(runOf([...passed, ...failed])), {}).triggers
    expect(table?.rows).toHaveLength(20)
    expect(table?.rows.at(-1)?.[0]).toBe('late')
    expect(table?.notes[0]).toBe('and 11 more')
  })

  it('says that the harness is suspect', () => {
    const [table] = overviewOf(runOf([]), outcomeOf(runOf(query('a', 'a', true, false))), {}).triggers
    expect(table?.notes[0]).toMatch(/^harness suspect: the skill was not used in the one answer/)
  })
})
