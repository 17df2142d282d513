import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { formatMeanScore, formatRate, trialsText } from '../../src/report/estimates-text.ts'
import { rateOf } from '../../src/report/outcome/estimates.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { runOf, trialsOf } from '../support/recorded-run.ts'

describe('rates and scores', () => {
  it.each<[count: number, of: number, text: string]>([
    [28, 31, '90 % [75–97]'],
    [17, 20, '85 % [64–95]'],
    [5, 5, '100 % [57–100]'],
    [0, 5, '0 % [0–43]'],
    [1, 1, '100 %'],
    [999, 1000, '>99 % [99–>99]'],
    [1, 1000, '<1 % [<1–1]'],
  ])('%d of %d is %s', (count, of, text) => {
    const shares = Array.from({ length: of }, (_, index) => Number(index < count))
    const { mean: rate, interval } = rateOf(
      shares,
      shares.map(() => undefined),
    )
    expect(formatRate({ rate, interval })).toBe(text)
  })

  it('formats a missing rate as -', () => {
    expect(formatRate(undefined)).toBe('-')
  })

  it('formats a score with its interval, and with the number of tests if some have no score', () => {
    const score = { mean: 0.72, tests: 28, interval: { low: 0.61, high: 0.832 } }
    expect(formatMeanScore(score)).toBe('0.72 [0.61–0.83]')
    expect(formatMeanScore(score, 28)).toBe('0.72 [0.61–0.83]')
    expect(formatMeanScore(score, 30)).toBe('0.72 [0.61–0.83] (28 of 30 tests)')
    expect(formatMeanScore({ mean: 0.5, tests: 1, interval: undefined })).toBe('0.50')
    expect(formatMeanScore(undefined)).toBe('-')
  })
})

/** The line about the sources of noise. */
function noise(halfWidth: number, onTheseTests: number, tests: number, trials: number): string {
  const widths = `±${halfWidth.toFixed(2)}, on these tests alone ±${onTheseTests.toFixed(2)}`
  const advice = tests > trials ? 'more tests help most' : 'more trials or more tests help'
  return `noise of the mean score ${widths}: ${tests} % from tests, ${trials} % from trials; ${advice}\n`
}

describe('reliability over trials', () => {
  const textOf = (...results: Partial<Result>[][]): string => trialsText(outcomeOf(runOf(results.flat())))

  it('reports unknown reliability for one trial', () => {
    expect(textOf(trialsOf('a', [1]), trialsOf('b', [0]))).toBe('1 trial: reliability unknown\n')
  })

  const clean = (count: number, scores: readonly number[] = [1], more: Partial<Result> = {}) =>
    Array.from({ length: count }, (_, index) => trialsOf(`t${index}`, scores, more)).flat()

  it('bounds the true failure rate, rounded up, if at least ten tests have no failure', () => {
    const bound = (tests: number, percent: number) =>
      `0 of ${tests} failed (true failure rate ≤ ${percent} % at 95 % confidence)`
    // 1 − 0.05^(1/n): 0.2589, 0.1391 and 0.0722.
    expect(textOf(clean(10))).toBe(`1 trial: reliability unknown; ${bound(10, 26)}\n`)
    expect(textOf(clean(20))).toBe(`1 trial: reliability unknown; ${bound(20, 14)}\n`)
    expect(textOf(clean(40, [1, 1]))).toBe(
      `2 trials: 100 % pass all (pass^2), 100 % pass any (pass@2); ${bound(40, 8)}\n`,
    )
    expect(textOf(clean(9))).toBe('1 trial: reliability unknown\n')
  })

  it('counts tests of one cluster as one for the bound', () => {
    const clustered = Array.from({ length: 20 }, (_, index) =>
      trialsOf(`t${index}`, [1], { metadata: { cluster: index % 10 } }),
    )
    expect(textOf(...clustered)).toContain('0 of 20 failed (true failure rate ≤ 26 % at 95 % confidence)')
  })

  it('omits the bound if any attempt failed, even if its test passed', () => {
    const passed = trialsOf('most', [1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
    expect(textOf(clean(20, Array(10).fill(1)), passed)).toBe(
      `10 trials: 95 % pass all (pass^10), 100 % pass any (pass@10); flaky: most\n${noise(0.01, 0.01, 0, 100)}`,
    )
  })

  it('shows pass^k and pass@k for several trials, and names the flaky tests', () => {
    expect(textOf(trialsOf('a', [1, 1, 1]), trialsOf('b', [1, 0, 1]), trialsOf('c', [0, 0, 0]))).toBe(
      `3 trials: 33 % pass all (pass^3), 67 % pass any (pass@3); flaky: b\n${noise(0.58, 0.22, 86, 14)}`,
    )
  })

  it('names five flaky tests and counts the rest, without control characters', () => {
    const tests = ['a', 'b', 'c\nd\x1b[31m', 'e', 'f', 'g', 'h'].map(id => trialsOf(id, [1, 0]))
    expect(textOf(...tests)).toBe(
      `2 trials: 0 % pass all (pass^2), 100 % pass any (pass@2); flaky: a, b, c↵d␛[31m, e, f and 2 more\n${noise(0.37, 0.37, 0, 100)}`,
    )
  })

  it('uses the smallest number of trials if tests have different numbers', () => {
    expect(textOf(trialsOf('a', [1, 1]), trialsOf('b', [1]))).toBe('1 to 2 trials: reliability unknown\n')
    expect(textOf(trialsOf('a', [1, 1, 1]), trialsOf('b', [0, 1]))).toBe(
      `2 to 3 trials: 50 % pass all (pass^2), 100 % pass any (pass@2); flaky: b\n${noise(0.49, 0.45, 17, 83)}`,
    )
  })

  it('counts errored attempts', () => {
    expect(textOf(trialsOf('a', [1, null, 0]), trialsOf('b', [1]), trialsOf('c', [null]), trialsOf('d', [1]))).toBe(
      '1 to 3 trials: reliability unknown; 2 of 6 attempts errored; flaky: a\n',
    )
  })

  it('prints a line per target if they differ', () => {
    const tests = (target: string, scores: number[]) => trialsOf('a', scores, { target })
    expect(textOf(tests('one', [1, 0]), tests('t\nwo', [0, 0]))).toBe(
      `one: 2 trials: 0 % pass all (pass^2), 100 % pass any (pass@2); flaky: a
t↵wo: 2 trials: 0 % pass all (pass^2), 0 % pass any (pass@2)
`,
    )
  })

  it('prints one line if all targets are the same', () => {
    const tests = (target: string) => clean(10, [1], { target })
    expect(textOf(tests('one'), tests('two'))).toBe(
      '1 trial: reliability unknown; 0 of 10 failed (true failure rate ≤ 26 % at 95 % confidence)\n',
    )
    const flaky = (target: string) => trialsOf('a', [1, 0], { target })
    expect(textOf(flaky('one'), flaky('two'))).toBe(
      '2 trials: 0 % pass all (pass^2), 100 % pass any (pass@2); flaky: a\n',
    )
  })
})
