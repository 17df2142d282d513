import { expect, it } from 'vitest'
import { PLAIN } from '../../../src/lib/palette.ts'
import { compareSides } from '../../../src/report/compare/comparison.ts'
import { comparisonText } from '../../../src/report/compare/comparison-text.ts'
import { compared, type Scored, sideOf, singles, times } from '../../support/sides.ts'

const textOf = (before: Record<string, Scored>, after: Record<string, Scored>, margin = 0) =>
  comparisonText(compared(before, after, margin), PLAIN)

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

it('shows improved, worse, new, gone, changed and unscored tests', () => {
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
  expect(comparison && comparisonText(comparison, PLAIN)).toBe(`               pass rate     score
20261114 gpt   86 % [49–97]  0.88 [0.62–1.00]
20261115␛ gpt  43 % [16–75]  0.59 [0.09–1.00]

4 tests compared: 1 improved, 2 worse, 1 the same; left out: 1 new, 1 gone, 1 changed, 1 without a score
  worse    suite says\\nno 1.00 → 0.00
  worse    suite adds 1.00 → 0.63
  improved suite greets 0.25 → 1.00
  new      suite added
  gone     suite left
  changed  suite edited
  no score suite breaks

difference −0.156 [−1.320 to +1.008], p = 0.70 (paired t)
not shown: to tell a difference of −0.156 from chance takes about 173 tests
`)
})

it('a difference that is noise is not shown, and it is said how many tests would tell', () => {
  expect(textOf(singles(times([60, 1], [40, 0])), singles(times([50, 1], [10, 0], [15, 1], [25, 0])))).toBe(
    `        pass rate     score
before  60 % [50–69]  0.60 [0.50–0.70]
after   65 % [55–74]  0.65 [0.55–0.75]

100 tests compared: 15 improved, 10 worse, 75 the same
${times([10, 0])
  .map((_, index) => `  worse    suite t${50 + index} 1.00 → 0.00\n`)
  .join('')}${times([15, 0])
  .map((_, index) => `  improved suite t${60 + index} 0.00 → 1.00\n`)
  .join('')}
difference +0.050 [−0.049 to +0.149], p = 0.42 (exact McNemar)
not shown: to tell a difference of +0.050 from chance takes about 785 tests
`,
  )
})

it('with several trials also how many trials of these tests would', () => {
  const trials = (...scores: number[][]) => Object.fromEntries(scores.map((each, index) => [`t${index}`, each]))
  // The tests differ alike; what varies is the trials.
  const before = trials(...Array.from({ length: 10 }, () => [1, 0, 1, 0]))
  const after = trials(
    ...Array.from({ length: 10 }, (_, index) => (index < 4 ? [0, 0, 1, 0] : index < 7 ? [1, 1, 1, 0] : [1, 0, 1, 0])),
  )
  expect(lastLine(textOf(before, after))).toBe(
    'not shown: to tell a difference of −0.025 from chance takes about 602 tests, or 765 trials of these',
  )
})

it('a difference that is no chance is better, or worse, by more than the margin where there is one', () => {
  const good = singles(times([40, 1]))
  const bad = singles(times([15, 0], [25, 1]))
  expect(lastLine(textOf(good, bad))).toBe('worse')
  expect(lastLine(textOf(bad, good))).toBe('better')
  expect(lastLine(textOf(good, bad, 0.1))).toBe('worse, with a margin of 0.1')
})

it('what is lost within the margin is neither better nor worse, however many tests there are', () => {
  const before = singles(times([60, 1], [40, 0]))
  const after = singles(times([56, 1], [4, 0], [2, 1], [38, 0]))
  expect(lastLine(textOf(before, after, 0.05))).toBe('not shown: what was lost is within the margin of 0.05')
  expect(lastLine(textOf(before, after, 0.01))).toBe(
    'not shown: to tell a difference of −0.010 beyond the margin from chance takes about 4726 tests',
  )
  expect(lastLine(textOf(after, before, 0.05))).toMatch(
    /^not shown: to tell a difference of \+0\.020 from chance takes /,
  )
})

it('few differences are not shown, however much they agree', () => {
  const text = textOf(singles(times([20, 1])), singles(times([5, 0], [15, 1])))
  expect(text).toContain('difference −0.250 [−0.458 to −0.042], p = 0.0625 (exact McNemar)\n')
  expect(lastLine(text)).toBe('not shown: to tell a difference of −0.250 from chance takes about 25 tests')
  expect(lastLine(textOf(singles(times([10, 1])), singles(times([5, 0], [5, 1]))))).toBe(
    'not shown: too few tests differ to tell that from chance',
  )
})

it('where no test differs it says so', () => {
  const text = textOf(singles([1, 0, 1]), singles([1, 0, 1]))
  expect(text).toContain(
    '3 tests compared: 0 improved, 0 worse, 3 the same\n\ndifference 0.000 [0.000 to 0.000], p = 1.00',
  )
  expect(lastLine(text)).toBe('not shown: no test differs')
})

it('of one test there is no interval', () => {
  expect(textOf({ a: [0.5] }, { a: [0.75] })).toBe(`        pass rate   score
before  0 % [0–79]  0.50
after   0 % [0–79]  0.75

1 test compared: 1 improved, 0 worse, 0 the same
  improved suite a 0.50 → 0.75

difference +0.250
not shown: too few tests differ to tell that from chance
`)
})

it('where nothing is in both it says so', () => {
  expect(textOf({ a: [1] }, { b: [1] })).toBe(`        pass rate       score
before  100 % [21–100]  1.00
after   100 % [21–100]  1.00

0 tests compared: 0 improved, 0 worse, 0 the same; left out: 1 new, 1 gone
  new      suite b
  gone     suite a

no test is in both and the same: there is nothing to compare
not shown
`)
})

it('twenty of a kind are listed, the largest differences first', () => {
  const before = singles(times([25, 1]))
  const after = singles(Array.from({ length: 25 }, (_, index) => 1 - (index + 1) / 50))
  const lines = textOf(before, after).split('\n')
  expect(lines[5]).toBe('  worse    suite t24 1.00 → 0.50')
  expect(lines[24]).toBe('  worse    suite t5 1.00 → 0.88')
  expect(lines[25]).toBe('           and 5 more')
})

it('a p that is next to nothing is not shown as none', () => {
  expect(textOf(singles(times([40, 1])), singles(times([40, 0.5])))).toContain(
    'difference −0.500 [−0.500 to −0.500], p < 0.0001 (paired t)\n',
  )
})
