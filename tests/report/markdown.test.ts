import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { markdown } from '../../src/report/markdown.ts'
import { renderReport, runOf, trialsOf } from '../support/recorded-run.ts'

const textOf = (results: readonly Partial<Result>[]) => renderReport(markdown, runOf(results))
const failed = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  score: 0,
  verdict: 'fail',
  misses: ['not brief'],
  ...more,
})

it('has a headline, a table of suites, the reliability, and the tests that did not pass', () => {
  const results = [
    ...trialsOf('greets', [1, 1], { target: 'one' }),
    ...trialsOf('greets', [1, 0], { target: 'two', misses: ['does not contain Alice'], line: 8 }),
    ...trialsOf('waits', [0, null], { target: 'two', misses: ['too short'], suite: 'other', file: 'b/EVAL.yaml' }),
    ...trialsOf('middling', [0.7, 0.7], { target: 'one' }),
  ]
  const run = { ...runOf(results), planned: 9 }
  expect(renderReport(markdown, run)).toBe(`### 3 tests on 2 targets (4 cases), 1 attempt not run

- one: pass rate 50 % [9–91], 1 of 2 tests passed
- two: pass rate 25 % [<1–99], 0 of 2 tests passed

| suite | target | tests | pass | borderline | fail | error | pass rate | score |
|---|---|--:|--:|--:|--:|--:|--:|--:|
| suite | one | 2 | 1 | 1 | 0 | 0 | 50 % [9–91] | 0.85 [0.01–1.00] |
| suite | two | 1 | 0 | 0 | 1 | 0 | 50 % | 0.50 |
| other | two | 1 | 0 | 0 | 0 | 1 | 0 % | 0.00 |

one: 2 trials: 50 % pass all &#40;pass^2&#41;, 50 % pass any &#40;pass&#64;&#8203;2&#41;${'  '}
two: 2 trials: 0 % pass all &#40;pass^2&#41;, 50 % pass any &#40;pass&#64;&#8203;2&#41;; 1 of 4 attempts errored; flaky: greets, waits${'  '}
one: noise of the mean score ±0.29, on these tests alone ±0.00: 100 % from tests, 0 % from trials; more tests help most${'  '}
two: noise of the mean score ±0.49, on these tests alone ±0.49: 0 % from tests, 100 % from trials; more trials or more tests help

- **error** waits on two (b/EVAL.yaml:1): timeout: took too long; too short
- **fail** greets on two (EVAL.yaml:8): does not contain Alice
`)
})

it('is short if every test passed', () => {
  expect(textOf([{ test_id: 'a' }])).toBe(`### 1 of 1 test passed: 100 %

| suite | target | tests | pass | borderline | fail | error | pass rate | score |
|---|---|--:|--:|--:|--:|--:|--:|--:|
| suite | default | 1 | 1 | 0 | 0 | 0 | 100 % | 1.00 |

1 trial: reliability unknown
`)
})

it('has the pass rate of a single target in its headline', () => {
  const headline = (...results: Partial<Result>[][]) => textOf(results.flat()).split('\n')[0]
  expect(headline(trialsOf('a', [1]), trialsOf('b', [0]))).toBe('### 1 of 2 tests passed: 50 % [9–91]')
  expect(headline(trialsOf('a', [1, 1]), trialsOf('b', [1, 0]))).toBe('### pass rate 75 % [1–>99], 1 of 2 tests passed')
})

it('notes above the table that a run is partial, was rerun or used the cache', () => {
  const results = [{ test_id: 'a', rerun: 1, cached: true as const }, { test_id: 'b' }]
  const info = { attempts: [], available_tests: 9, selected_tests: 2, options: { tags: ['smoke'] } }
  const lines = renderReport(markdown, runOf(results, info)).split('\n')
  expect(lines.slice(0, 8)).toEqual([
    '### 2 of 2 tests passed: 100 % [34–100]',
    '',
    '**partial run: 2 of 9 tests selected &#40;--tag smoke&#41;**',
    '',
    '**1 attempt repeated in 1 rerun**',
    '',
    '**1 of 2 answers cached**',
    '',
  ])
})

it('has a headline and an empty table if the run has no results', () => {
  expect(textOf([])).toBe(`### No tests were run

| suite | target | tests | pass | borderline | fail | error | pass rate | score |
|---|---|--:|--:|--:|--:|--:|--:|--:|
`)
})

describe('escapes markup in texts', () => {
  const HOSTILE: [what: string, text: string, written: string][] = [
    ['the end of a cell', 'a | b', 'a &#124; b'],
    [
      'markup',
      '**bold** _it_ ~~no~~ # x',
      '&#42;&#42;bold&#42;&#42; &#95;it&#95; &#126;&#126;no&#126;&#126; &#35;&#8203; x',
    ],
    ['code', '`x` ```', '&#96;x&#96; &#96;&#96;&#96;'],
    ['HTML', '</td><img src=x onerror=y>', '&#60;/td&#62;&#60;img src=x onerror=y&#62;'],
    ['a link', '[x](http://evil.example)', '&#91;x&#93;&#40;http&#58;//evil.example&#41;'],
    ['an address', 'see https://evil.example/x', 'see https&#58;//evil.example/x'],
    ['an address without a scheme', 'see WWW.evil.example', 'see WWW&#46;evil.example'],
    ['a mention', '@octocat and a@b.example', '&#64;&#8203;octocat and a&#64;&#8203;b.example'],
    ['an issue', 'owner/repo#12;', 'owner/repo&#35;&#8203;12;'],
    ['an entity', '&lt;b&gt; &#64;octocat', '&#38;lt;b&#38;gt; &#38;&#35;&#8203;64;octocat'],
    ['mathematics', '$x$', '&#36;x&#36;'],
    ['new lines', 'a\n\n# b', 'a↵↵&#35;&#8203; b'],
    ['terminal control characters', 'a\x1b[31m\u202e', 'a␛&#91;31m\ufffd'],
  ]

  it.each(HOSTILE)('%s', (_, text, written) => {
    const lines = textOf([failed(text, { suite: text, target: text, file: text, misses: [text] })]).split('\n')
    expect(lines[4]?.startsWith(`| ${written} | ${written} | 1 | `)).toBe(true)
    expect(lines[4]?.match(/\|/g)).toHaveLength(10)
    expect(lines[8]).toBe(`- **fail** ${written} on ${written} (${written}:1): ${written}`)
    expect(lines).toHaveLength(10)
  })
})

it('lists at most twenty tests that did not pass, with reasons of at most 200 characters', () => {
  const results = Array.from({ length: 23 }, (_, index) => failed(`t${index}`, { misses: ['x'.repeat(500)] }))
  const lines = textOf(results).trimEnd().split('\n').slice(8)
  expect(lines).toHaveLength(21)
  expect(lines[19]).toBe(`- **fail** t19 on default (EVAL.yaml:1): ${'x'.repeat(200)}…`)
  expect(lines[20]).toBe('- and 3 more: 3 fail')
})

it('lists errors before failures, and counts both in the rest', () => {
  const results = [
    ...Array.from({ length: 25 }, (_, index) => failed(`f${index}`)),
    ...Array.from({ length: 2 }, (_, index) => trialsOf(`e${index}`, [null])).flat(),
  ]
  const lines = textOf(results).trimEnd().split('\n').slice(-21)
  expect(lines.slice(0, 3).map(line => line.slice(0, 14))).toEqual([
    '- **error** e0',
    '- **error** e1',
    '- **fail** f0 ',
  ])
  expect(lines[20]).toBe('- and 7 more: 7 fail')
})

it('lists up to five different reasons of a test with all their lines', () => {
  const reasonsIn = (misses: string[]) =>
    textOf([failed('a', { misses })])
      .trimEnd()
      .split('EVAL.yaml:1): ')[1]
  expect(reasonsIn(['too\nlong', 'late', 'late'])).toBe('too↵long; late')
  expect(reasonsIn(['1', '2', '3', '4', '5', '6', '7'])).toBe('1; 2; 3; 4; 5; and 2 more')
})
