import { describe, expect, it } from 'vitest'
import { PLAIN } from '../../../../src/lib/palette.ts'
import { compareSides } from '../../../../src/report/compare/comparison.ts'
import { comparisonText } from '../../../../src/report/compare/text/comparison-text.ts'
import { checkResult } from '../../../support/recorded-run.ts'
import { compared, crossing, type Scored, sideOf, singles, times } from '../sides.ts'

const textOf = (before: Record<string, Scored>, after: Record<string, Scored>, margin = 0) =>
  comparisonText(compared(before, after, margin), PLAIN)

/** The last paragraph: the evidence and the verdict. */
const endOf = (text: string) => text.split('\n\n').at(-1)
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)
const crashing = (tests: number, count: number): Record<string, Scored> =>
  Object.fromEntries(Array.from({ length: tests }, (_, index) => [`t${index}`, [index < count ? null : 1]]))

describe('the tests', () => {
  const before = {
    greets: [0, 0.5],
    adds: [1, 1],
    'says\nno': [1],
    same: [0.9],
    left: [1],
    edited: { scores: [1], test_hash: 'as it was' },
    breaks: [1],
  }
  const after = {
    greets: [1, 1],
    adds: [0.5, 0.75],
    'says\nno': [0],
    same: [0.9],
    edited: { scores: [0], test_hash: 'as it is' },
    breaks: [null],
    added: [1],
  }
  const [comparison] = compareSides([[sideOf('20261114 gpt', before), sideOf('20261115\x1b gpt', after)]], 0)
  const text = comparison ? comparisonText(comparison, PLAIN) : ''

  it('are listed as improved, worse, new, gone or changed, with their errors', () => {
    expect(text).toContain(`
5 tests compared: 1 improved, 3 worse, 1 the same; left out: 1 new, 1 gone, 1 changed
  worse    suite says↵no 1.00 → 0.00
  worse    suite breaks 1.00 → 0.00 (errors: 0 → 1)
  worse    suite adds 1.00 → 0.63
  improved suite greets 0.25 → 1.00
  new      suite added
  gone     suite left
  changed  suite edited

`)
  })

  it('are summarized above, over the paired tests', () => {
    const [head, first, second] = text.split('\n')
    expect(head).toMatch(/^5 paired tests {2}pass rate +score$/)
    expect(first).toMatch(/^20261114 gpt {4}/)
    expect(second).toMatch(/^20261115␛ gpt {3}/)
  })

  it('are limited to twenty of a kind, the largest differences first', () => {
    const good = singles(times([25, 1]))
    const bad = singles(Array.from({ length: 25 }, (_, index) => 1 - (index + 1) / 50))
    const lines = textOf(good, bad).split('\n')
    expect(lines[5]).toBe('  worse    suite t24 1.00 → 0.50')
    expect(lines[24]).toBe('  worse    suite t5 1.00 → 0.88')
    expect(lines[25]).toBe('           and 5 more')
  })
})

describe('the evidence', () => {
  it('has the interval and p with the name of the statistical test', () => {
    expect(endOf(textOf(singles(times([24, 1])), singles(times([4, 0], [20, 1]))))).toBe(
      `difference −0.167 [−0.329 to +0.021], p = 0.0625 (mid-p McNemar)
inconclusive: 24 tests can detect a difference of 0.26 (80 % power); detecting −0.167 takes about 41 tests
`,
    )
  })

  it('names the permutation test if that decides', () => {
    const after = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`t${index}`, index < 7 ? [1, 1, 0, 1, 1] : [1, 1, 1, 1, 1]]),
    )
    expect(endOf(textOf(singles(times([20, 1])), after))).toMatch(
      /^difference −0\.070 \[−0\.110 to −0\.017\], p = 0\.\d\d \(permutation within tests\)\ninconclusive: 20 tests can detect a difference of 0\.17 \(80 % power\); detecting −0\.070 takes about 113 tests\n$/,
    )
  })

  it('names the loss that p is tested against if it exceeds the margin', () => {
    expect(endOf(textOf(singles(times([40, 1])), singles(times([15, 0], [25, 1])), 0.1))).toBe(
      `difference −0.375 [−0.516 to −0.198], p = 0.0016 (Bonett–Price, against a loss of 0.1)
worse by more than the margin of 0.1
`,
    )
  })

  it('has a p that is never 0', () => {
    expect(textOf(singles(times([40, 1])), singles(times([40, 0])))).toContain('p < 0.0001 (mid-p McNemar)\nworse\n')
  })

  it('has the adjusted p if there are several comparisons', () => {
    const pair = [sideOf('a', singles(times([40, 1]))), sideOf('b', singles(times([5, 0], [35, 1])))] as const
    const [first] = compareSides([pair, pair], 0)
    expect(first && comparisonText(first, PLAIN)).toContain('p = 0.0313 (mid-p McNemar), adjusted p = 0.0625 (Holm)\n')
  })

  it('has no interval for a single test', () => {
    expect(endOf(textOf({ a: [0.5] }, { a: [0.75] }))).toBe(`difference +0.250
pass rate 0.000 [−0.924 to +0.924], p = 1.00 (mid-p McNemar)
inconclusive: 1 test cannot detect any difference: at least 6 must differ
`)
  })

  it('shows the compared values if they differ from the scores', () => {
    const missed = {
      verdict: 'fail' as const,
      evaluator_results: [checkResult({ score: 0, weight: 0, required: 0.8 })],
    }
    const after = singles(times([30, 1]), () => missed)
    expect(endOf(textOf(singles(times([30, 1])), after))).toMatch(
      /^compared: 1\.00 → 0\.00 \(an error or a missed required check counts as 0\)\ndifference −1\.000 .*\nworse\n$/,
    )
  })
})

describe('small numbers', () => {
  it('have enough digits to differ from 0 and from each other', () => {
    const text = textOf(singles(times([20, 1])), singles(times([20, 0.9997])))
    expect(text).toContain('\n  worse    suite t7 1.0000 → 0.9997\n')
    expect(text).toContain('\ndifference −0.0003 [−0.0003 to −0.0002], p < 0.0001 (sign test)\n')
  })

  it('have at most six digits', () => {
    expect(textOf({ a: [1] }, { a: [0.999_999_9] })).toContain('\n  worse    suite a 1.00 → 1.00\n\ndifference 0.000\n')
    expect(textOf({ a: [1] }, { a: [0.999_999] })).toContain('1.000000 → 0.999999\n\ndifference −0.000001\n')
  })
})

describe('the pass rate', () => {
  it('has its own line if its numbers differ', () => {
    const text = textOf(singles(times([30, 0.81])), singles(times([30, 0.79])))
    expect(endOf(text)).toBe(`difference −0.020 [−0.020 to −0.016], p < 0.0001 (sign test)
pass rate −1.000 [−1.000 to −0.817], p < 0.0001 (mid-p McNemar)
worse
`)
  })

  it('is named if it decides alone', () => {
    const { before, after } = crossing(12)
    expect(lastLine(textOf(before, after))).toBe('worse: by the pass rate')
    expect(lastLine(textOf(after, before))).toBe('better: by the pass rate')
  })

  it('makes the verdict inconclusive if it contradicts the values', () => {
    // Twelve tests fall slightly below a pass, and twenty failing tests get better scores.
    const before = singles(times([12, 0.81], [20, 0.1]))
    const after = singles([...times([12, 0.79]), ...Array.from({ length: 20 }, (_, index) => 0.3 + index / 100)])
    expect(lastLine(textOf(before, after))).toMatch(
      /^inconclusive: values and pass rate disagree: better by values, worse by the pass rate; 32 tests can detect /,
    )
  })
})

describe('errors', () => {
  it('are counted, and the pairs without errors are analysed separately', () => {
    expect(endOf(textOf(singles(times([20, 1])), crashing(20, 10)))).toBe(
      `compared: 1.00 → 0.50 (an error or a missed required check counts as 0)
errors: 0 of 20 attempts before, 10 of 20 after
difference −0.500 [−0.698 to −0.211], p = 0.0010 (mid-p McNemar)
without the 10 tests with errors: difference 0.000 [−0.231 to +0.231], p = 1.00 (mid-p McNemar), inconclusive
inconclusive: the verdict depends on errors: −0.500 with errors as 0, 0.000 without tests that have errors; 20 tests can detect a difference of 0.35 (80 % power)
`,
    )
  })

  it('can affect every test', () => {
    const text = textOf(singles(times([6, 1])), crashing(6, 6))
    expect(text).toContain('without the 6 tests with errors: no tests left, inconclusive\n')
    expect(lastLine(text)).toContain(
      'the verdict depends on errors: −1.000 with errors as 0, nothing to compare without tests ',
    )
  })
})

describe('a test that broke', () => {
  it('is listed with its attempts and p', () => {
    const trials = (passed: number) => ({ a: times([passed, 1], [5 - passed, 0]), b: times([5, 1]) })
    expect(textOf(trials(5), trials(0))).toContain(
      '\n  broke    suite a 5 of 5 → 0 of 5, p = 0.0079 (Fisher, Holm over 2 tests: p = 0.0159)\n',
    )
    expect(textOf(trials(0), trials(5))).toContain('\n  mended   suite a 0 of 5 → 5 of 5, p = 0.0079 ')
  })
})

describe('the verdict', () => {
  it('is better, worse, or equivalent', () => {
    const good = singles(times([40, 1]))
    const bad = singles(times([15, 0], [25, 1]))
    expect(lastLine(textOf(good, bad))).toBe('worse')
    expect(lastLine(textOf(bad, good))).toBe('better')
    expect(lastLine(textOf(bad, good, 0.1))).toBe('better')
    expect(lastLine(textOf(good, good, 0.1))).toBe(
      'equivalent: the difference is within ±0.1; 40 tests can detect a difference of 0.16 (80 % power)',
    )
  })

  it('is inconclusive if no test differs, with the detectable difference', () => {
    const same = singles(times([20, 1]))
    expect(endOf(textOf(same, same))).toBe(`difference 0.000 [−0.126 to +0.126], p = 1.00 (mid-p McNemar)
inconclusive: no test differs; 20 tests can detect a difference of 0.31 (80 % power)
`)
  })

  it('gives the number of trials that would detect it, if known', () => {
    const before = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`t${index}`, [1, 0, 1, 0]]))
    const after = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [
        `t${index}`,
        index < 4 ? [0, 0, 1, 0] : index < 7 ? [1, 1, 1, 0] : [1, 0, 1, 0],
      ]),
    )
    expect(lastLine(textOf(before, after))).toMatch(
      /detecting −0\.025 takes about 602 tests, or 765 trials of each test$/,
    )
  })

  it('warns that a loss within the margin may be larger', () => {
    const before = singles(times([60, 1], [40, 0]))
    const after = singles(times([56, 1], [4, 0], [2, 1], [38, 0]))
    expect(lastLine(textOf(before, after, 0.05))).toMatch(
      /^inconclusive: the loss is within the margin of 0\.05, but may be larger; /,
    )
    expect(lastLine(textOf(before, after, 0.01))).toMatch(
      /; detecting −0\.010 beyond the margin takes about 4726 tests$/,
    )
    expect(lastLine(textOf(after, before, 0.05))).toMatch(/; detecting \+0\.020 takes about /)
  })

  it('explains that too few tests or clusters differ, despite a small p', () => {
    const drop = (count: number, more?: (index: number) => object) =>
      lastLine(
        textOf(
          singles(times([36, 0.75]), more),
          singles(
            Array.from({ length: 36 }, (_, index) => (index < count ? 0.25 : 0.75)),
            more,
          ),
        ),
      )
    expect(drop(5)).toMatch(
      /^inconclusive: only 5 of 36 tests differ, a verdict needs at least 6; 36 tests can detect /,
    )
    const clusters = (index: number) => ({ metadata: { cluster: Math.floor(index / 3) } })
    expect(drop(15, clusters)).toMatch(/^inconclusive: only 5 of 12 clusters differ, a verdict needs at least 6; /)
    expect(drop(15, index => ({ metadata: { cluster: index % 4 } }))).toBe(
      'inconclusive: 36 tests in 4 clusters cannot detect any difference: at least 6 must differ',
    )
  })

  it('reports that a run is compared with itself', () => {
    const side = { ...sideOf('20261116', singles([1, 0])), run_id: '20261116' }
    const [comparison] = compareSides([[side, side]], 0)
    expect(lastLine(comparison ? comparisonText(comparison, PLAIN) : '')).toBe(
      'inconclusive: both sides are the same run 20261116',
    )
    const target = { ...side, label: 'agent', run: '20261116', target: 'agent' }
    const [named] = compareSides([[target, target]], 0)
    expect(lastLine(named ? comparisonText(named, PLAIN) : '')).toBe(
      'inconclusive: both sides are the same run 20261116 (target agent)',
    )
  })

  it('needs a test on both sides', () => {
    expect(textOf({ a: [1] }, { b: [1] })).toContain(`
0 tests compared: 0 improved, 0 worse, 0 the same; left out: 1 new, 1 gone
  new      suite b
  gone     suite a

no test is the same on both sides: nothing to compare
inconclusive
`)
  })
})
