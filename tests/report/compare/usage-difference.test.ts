import { describe, expect, it } from 'vitest'
import { PLAIN } from '../../../src/lib/palette.ts'
import type { Result } from '../../../src/model/result.ts'
import { compareSides } from '../../../src/report/compare/comparison.ts'
import { comparisonText } from '../../../src/report/compare/text/comparison-text.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf } from '../../support/recorded-run.ts'

type Usage = Pick<Partial<Result>, 'cost_usd' | 'duration_ms' | 'token_usage' | 'cached' | 'added' | 'metadata'>

/** Compares two sides, each from what the attempts of its tests took. */
function comparedUsage(before: readonly Usage[][], after: readonly Usage[][]) {
  const sideOf = (label: string, tests: readonly Usage[][]) => {
    const results = tests.flatMap((attempts, index) =>
      attempts.map((usage, trial) => ({ test_id: `t${index}`, test_hash: `h${index}`, trial: trial + 1, ...usage })),
    )
    return {
      label,
      tests: outcomeOf(runOf(results.map((result, index) => ({ attempt_id: `a${index}`, ...result })))).tests,
    }
  }
  const [comparison] = compareSides([[sideOf('before', before), sideOf('after', after)]], 0)
  if (!comparison) throw new Error('nothing was compared')
  return comparison
}

const costs = (...usd: readonly number[]): Usage[][] => usd.map(cost_usd => [{ cost_usd }])

describe('the difference in cost, tokens and time', () => {
  it('is the mean over paired tests, with its interval and the ratio of the means', () => {
    const { cost } = comparedUsage(costs(0.1, 0.12, 0.09, 0.2, 0.14), costs(0.12, 0.13, 0.11, 0.22, 0.15))
    expect(cost?.tests).toBe(5)
    expect(cost?.difference).toBeCloseTo(0.016, 9)
    // scipy: t interval of [2, 1, 2, 2, 1] / 100.
    expect(cost?.interval?.low).toBeCloseTo(0.009199, 6)
    expect(cost?.interval?.high).toBeCloseTo(0.022801, 6)
    expect(cost?.ratio?.ratio).toBeCloseTo(73 / 65, 9)
  })

  it('takes the mean of the attempts of a test that have the figure', () => {
    const { duration } = comparedUsage(
      [[{ duration_ms: 100 }, { duration_ms: 300 }, {}], [{ duration_ms: 50 }]],
      [[{ duration_ms: 400 }], [{ duration_ms: 50 }, { duration_ms: 150 }]],
    )
    expect(duration).toMatchObject({ tests: 2, before: 125, after: 250, difference: 125 })
  })

  it('leaves out cached answers from cost and time, and keeps their tokens', () => {
    const cached: Usage = { cost_usd: 0, duration_ms: 1, cached: true, token_usage: { input: 10, output: 5 } }
    const paid: Usage = { cost_usd: 0.5, duration_ms: 900, token_usage: { input: 10, output: 5 } }
    const { cost, duration, tokens } = comparedUsage([[paid], [paid]], [[cached], [paid, cached]])
    expect(cost).toMatchObject({ tests: 1, before: 0.5, after: 0.5, difference: 0 })
    expect(duration).toMatchObject({ tests: 1, before: 900, after: 900 })
    expect(tokens).toMatchObject({ tests: 2, before: 15, after: 15 })
    expect(comparedUsage([[paid]], [[cached]])).toMatchObject({ cost: undefined, duration: undefined })
  })

  it('leaves out attempts that a rerun added, which repeat only failures', () => {
    const { cost } = comparedUsage([[{ cost_usd: 1 }]], [[{ cost_usd: 1 }, { cost_usd: 9, added: true }]])
    expect(cost).toMatchObject({ before: 1, after: 1 })
  })

  it('is undefined if nothing is known on one side', () => {
    const { cost, tokens, duration } = comparedUsage(costs(1, 2), [[{}], [{}]])
    expect([cost, tokens, duration]).toEqual([undefined, undefined, undefined])
  })

  it('counts only tests that have the figure on both sides', () => {
    const { cost } = comparedUsage(costs(1, 2, 3), [[{ cost_usd: 2 }], [{}], [{ cost_usd: 4 }]])
    expect(cost).toMatchObject({ tests: 2, before: 2, after: 3 })
  })

  it('has a wider interval if tests share a cluster', () => {
    const [before, after] = [
      [1, 2, 3, 4, 5, 6],
      [2, 3.1, 3, 4.1, 8, 9.1],
    ]
    const inClusters = (values: readonly number[]) =>
      values.map((cost_usd, index) => [{ cost_usd, metadata: { cluster: Math.floor(index / 2) } }])
    const width = ({ cost }: ReturnType<typeof comparedUsage>) =>
      (cost?.interval?.high ?? 0) - (cost?.interval?.low ?? 0)
    const alone = comparedUsage(costs(...before), costs(...after))
    expect(width(comparedUsage(inClusters(before), inClusters(after)))).toBeGreaterThan(width(alone))
  })

  it('has no interval if all differences are equal', () => {
    const { cost } = comparedUsage(costs(0.1, 0.2, 0.3), costs(0.2, 0.3, 0.4))
    expect(cost?.interval).toBeUndefined()
    expect(cost?.ratio).toMatchObject({ ratio: expect.closeTo(1.5, 9), interval: undefined })
  })

  it('ignores absurd numbers in damaged records', () => {
    expect(comparedUsage(costs(1e300, 1), costs(1e300, 2)).cost).toMatchObject({ tests: 1, before: 1, after: 2 })
  })
})

describe('the text of a comparison', () => {
  const lines = (...sides: Parameters<typeof comparedUsage>) =>
    comparisonText(comparedUsage(...sides), PLAIN).split('\n')

  it('has cost, tokens and time with difference, interval and ratio', () => {
    const usage = (factor: number, index: number): Usage[] => [
      {
        cost_usd: (0.01 + index / 1000) * factor,
        duration_ms: (2000 + 10 * index) * factor,
        token_usage: { input: 1000 + index * factor, output: 200 * factor },
      },
    ]
    const tests = [0, 1, 2, 3, 4, 5]
    const text = lines(
      tests.map(index => usage(1, index)),
      tests.map(index => usage(1.5, index)),
    )
    expect(text).toContain('cost $0.0125 → $0.0187: +$0.0063 [+$0.0053 to +$0.0072], +50 % [+50 to +50 %]')
    expect(text.find(line => line.startsWith('tokens'))).toMatch(
      /^tokens 1,203 → 1,304: \+101 \[\+100 to \+102\], \+8 %/,
    )
    expect(text.find(line => line.startsWith('time'))).toMatch(/^time 2\.0 s → 3\.0 s: \+1\.0 s \[/)
  })

  it('says for how many tests a figure is known', () => {
    expect(lines(costs(1, 2, 3), [[{ cost_usd: 1 }], [{}], [{ cost_usd: 4 }]])).toContain(
      'cost $2.00 → $2.50: +$0.5000 [−$5.85 to +$6.85], +25 %, known for 2 of 3 tests',
    )
  })

  it('leaves out times of fixed answers, which tell nothing about a target', () => {
    const times = (...ms: readonly number[]): Usage[][] => ms.map(duration_ms => [{ duration_ms }])
    const hasTime = (...sides: Parameters<typeof lines>) => lines(...sides).some(line => line.startsWith('time'))
    expect(hasTime(times(1, 2, 3), times(3, 2, 1))).toBe(false)
    expect(hasTime(times(1, 2, 3), times(300, 2, 1))).toBe(true)
  })

  it('never shows a decrease of more than 100 %', () => {
    const text = lines(costs(1, 1.1, 1.2, 1.1), costs(0, 0, 3, 0))
    expect(text.find(line => line.startsWith('cost'))).toMatch(/−32 % \[−100 to \+\d+ %\]$/)
  })
})
