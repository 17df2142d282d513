import { describe, expect, it } from 'vitest'
import { PLAIN } from '../../../src/lib/palette.ts'
import type { Result } from '../../../src/model/result.ts'
import { failedTrialsText } from '../../../src/report/failure-text.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { checkResult, runOf } from '../../support/recorded-run.ts'

function failed(test_id: string, trial: number, miss: string, fields: Partial<Result> = {}): Partial<Result> {
  const evaluator_results = [checkResult({ name: 'equals', score: 0, line: 9, misses: [miss] })]
  const attempt_id = `${test_id} ${trial} ${fields.target}`
  return { attempt_id, test_id, trial, verdict: 'fail', score: 0, evaluator_results, ...fields }
}

const passed = (test_id: string, trial: number) => ({ attempt_id: `${test_id} ${trial}`, test_id, trial })
const textOf = (results: readonly Partial<Result>[], columns?: number) =>
  outcomeOf(runOf(results))
    .notable.map(each => failedTrialsText(each, { palette: PLAIN, columns, displayPath: file => file }))
    .join('')

describe('trials that did not pass', () => {
  it('are one entry if their reasons are the same, and others are apart', () => {
    const text = textOf([
      failed('a', 1, 'no name'),
      passed('a', 2),
      failed('a', 3, 'too long', { score: 0.4, answer: 'Bye' }),
      failed('a', 4, 'no name', { score: 0.3, answer: 'Hi' }),
      failed('a', 5, 'no name'),
      failed('b', 1, 'no name', { target: 'other' }),
    ])
    expect(text).toBe(`fail a on default 3 of 5 trials (1, 4, 5) score 0.00–0.30 EVAL.yaml:1
  equals EVAL.yaml:9
    no name
  answer of trial 1: Hello
fail a on default 1 of 5 trials (3) score 0.40 EVAL.yaml:1
  equals EVAL.yaml:9
    too long
  answer: Bye
fail b on other score 0.00 EVAL.yaml:1
  equals EVAL.yaml:9
    no name
  answer: Hello
`)
  })

  it('show expected and found values as a diff', () => {
    const text = textOf([
      failed('a', 1, 'the answer is "Helo", expected "Hello"'),
      failed('b', 1, 'order.total is 42.5, expected 40'),
    ])
    expect(text).toBe(`fail a on default score 0.00 EVAL.yaml:1
  equals EVAL.yaml:9
    the answer differs (- expected, + found)
    - Hello
    + Helo
fail b on default score 0.00 EVAL.yaml:1
  equals EVAL.yaml:9
    values differ (- expected, + found)
    - order.total: 40
    + order.total: 42.5
  answer: Hello
`)
  })

  it('are counted if there are more than 50 entries', () => {
    const results = Array.from({ length: 60 }, (_, test) => [1, 2].map(trial => failed(`t${test}`, trial, 'no'))).flat()
    const { notable, more } = outcomeOf(runOf(results))
    expect(notable).toHaveLength(50)
    expect(more).toBe(20)
  })

  it('show at most 20 lines of a diff, and count the others', () => {
    const fields = Array.from({ length: 30 }, (_, index) => `f${index} is 1, expected 2`)
    const check = checkResult({ name: 'fields', score: 0, misses: fields })
    const text = textOf([{ attempt_id: 'a', test_id: 'a', verdict: 'fail', score: 0, evaluator_results: [check] }])
    expect(text).toContain('    + f9: 1\n    … 40 more lines\n')
  })
})
