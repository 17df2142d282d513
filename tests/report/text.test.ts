import { expect, it } from 'vitest'
import { conclude } from '../../src/cli/conclusion.ts'
import type { RunReader } from '../../src/model/run-reader.ts'
import { text } from '../../src/report/text.ts'
import { PLAIN_TERMINAL } from '../support/in-process.ts'
import { checkResult, renderReport, runOf, trialsOf, triggerResult } from '../support/recorded-run.ts'

it('equals the summary that a run prints', () => {
  const missed = checkResult({ name: 'brief', score: 0, misses: ['is not brief'], line: 9 })
  const results = [
    ...trialsOf('greets', [1, 1]),
    ...trialsOf('adds', [0, 1], { evaluator_results: [missed], line: 7 }),
    ...trialsOf('waits', [null, null], { target: 'other' }),
  ]
  const run = { ...runOf(results), planned: 7, planned_tests: 3 }
  expect(renderReport(text, run)).toBe(`fail adds on default 1 of 2 trials (1) score 0.00 EVAL.yaml:7
  brief EVAL.yaml:9
    is not brief
  answer: Hello

error waits on other 2 of 2 trials EVAL.yaml:1
  timeout: took too long

suite  target   tests  pass  borderline  fail  error     pass rate  score
suite  default      2     1           0     1      0  75 % [1–>99]   0.75
suite  other        1     0           0     0      1           0 %      -
default: 2 trials: 50 % pass all (pass^2), 100 % pass any (pass@2); flaky: adds
other: 2 trials: 0 % pass all (pass^2), 0 % pass any (pass@2); 2 of 2 attempts errored
default: noise of the mean score ±0.49, on these tests alone ±0.49: 0 % from tests, 100 % from trials; more trials or more tests help

3 tests on 2 targets: 1 passed, 1 failed, 1 with errors, 1 attempt not run
`)
})

it('counts each test once if targets have different tests', () => {
  const on = (test_id: string, target: string) => ({ test_id, target })
  const counted = (run: RunReader) => renderReport(text, run).trimEnd().split('\n').at(-1)
  const uneven = runOf([on('a', 'one'), on('a', 'two'), on('b', 'one')])
  expect(counted(uneven)).toBe('2 tests on 2 targets (3 cases): 3 passed')
  const elsewhere = runOf([on('a', 'one'), { ...on('a', 'two'), suite: 'other' }])
  expect(counted(elsewhere)).toBe('2 tests on 2 targets: 2 passed')
  const stopped = runOf([on('a', 'one'), on('a', 'two'), on('b', 'one')], { attempts: [], selected_tests: 4 })
  expect(counted({ ...stopped, planned: 6, planned_tests: 6 })).toBe(
    '4 tests on 2 targets (6 cases): 3 passed, 3 not run',
  )
})

it('shows the cost like the run itself', () => {
  const run = runOf([{ test_id: 'a', cost_usd: 0.01, judge_usage: { calls: 2, cost_usd: 0.0015 } }])
  expect(renderReport(text, run)).toContain('\n1 test: 1 passed, cost $0.0100, judges $0.0015 (2 calls)\n')
  expect(`\n${renderReport(text, run)}`).toBe(conclude(run, {}, PLAIN_TERMINAL).text)
})

it('contains the trigger rates', () => {
  const run = runOf([{ test_id: 'a', evaluator_results: [triggerResult('csv', false, true)] }])
  expect(renderReport(text, run)).toContain(`csv on default: 0 of 1 correct, precision 0.00, recall -, F1 0.00
  0 of 1 query passed (trigger threshold 0.5)
  fail a: trigger rate 1.00 (1 of 1), should not trigger
  note: no judged query should use the skill: recall is unknown, and F1 says nothing
  note: only one query should leave the skill unused: precision and F1 say little about unwanted use
  note: only one query used the skill: precision has no interval

suite `)
})

it('reports that no test was run', () => {
  expect(renderReport(text, runOf([]))).toBe('0 tests: none run\n')
})
