import { expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { outcomeOf } from '../../src/report/outcome.ts'
import { trialsText } from '../../src/report/trials-text.ts'
import { runOf } from '../support/run-of.ts'
import { trialsOf } from '../support/trials-of.ts'

const textOf = (...results: Partial<Result>[][]): string => trialsText(outcomeOf(runOf(results.flat())))

it('with one trial nobody knows', () => {
  expect(textOf(trialsOf('a', [1]), trialsOf('b', [0]))).toBe('1 trial: reliability unknown\n')
})

it('where nothing failed it says how much still may: at most 3 of n', () => {
  const tests = (count: number) => Array.from({ length: count }, (_, index) => trialsOf(`t${index}`, [1]))
  expect(textOf(...tests(20))).toBe('1 trial: reliability unknown; nothing failed: at most 15 % would\n')
  expect(textOf(...tests(2))).toBe('1 trial: reliability unknown; nothing failed: at most 100 % would\n')
})

it('with several it says how often all and any pass, and names the flaky tests', () => {
  expect(textOf(trialsOf('a', [1, 1, 1]), trialsOf('b', [1, 0, 1]), trialsOf('c', [0, 0, 0]))).toBe(
    '3 trials: all pass 33 % (pass^3), any passes 67 % (pass@3); flaky: b\n',
  )
})

it('names five flaky tests, and counts the rest; none of them begins a line or steers the terminal', () => {
  const tests = ['a', 'b', 'c\nd\x1b[31m', 'e', 'f', 'g', 'h'].map(id => trialsOf(id, [1, 0]))
  expect(textOf(...tests)).toBe(
    '2 trials: all pass 0 % (pass^2), any passes 100 % (pass@2); flaky: a, b, c\\nd␛[31m, e, f and 2 more\n',
  )
})

it('says of how many tests it speaks, where not all have so many trials', () => {
  expect(textOf(trialsOf('a', [1, 1]), trialsOf('b', [1]))).toBe(
    '2 trials (1 of 2 tests): all pass 100 % (pass^2), any passes 100 % (pass@2); nothing failed: at most 100 % would\n',
  )
})

it('each target has its line, where they differ', () => {
  const tests = (target: string, scores: number[]) => trialsOf('a', scores, { target })
  expect(textOf(tests('one', [1, 0]), tests('t\nwo', [0, 0]))).toBe(
    `one: 2 trials: all pass 0 % (pass^2), any passes 100 % (pass@2); flaky: a
t\\nwo: 2 trials: all pass 0 % (pass^2), any passes 0 % (pass@2)
`,
  )
})

it('what is the same for all targets is said once, as it is for each', () => {
  const tests = (target: string) =>
    Array.from({ length: 10 }, (_, index) => trialsOf(`t${index}`, [1], { target })).flat()
  expect(textOf(tests('one'), tests('two'))).toBe('1 trial: reliability unknown; nothing failed: at most 30 % would\n')
  const flaky = (target: string) => trialsOf('a', [1, 0], { target })
  expect(textOf(flaky('one'), flaky('two'))).toBe(
    '2 trials: all pass 0 % (pass^2), any passes 100 % (pass@2); flaky: a\n',
  )
})
