import type { Palette } from '../../../lib/palette.ts'
import { plural } from '../../../lib/plural.ts'
import { onOneLine } from '../../../lib/printable.ts'
import { mean } from '../../../lib/statistics/mean.ts'
import { rateText, scoreText } from '../../rate-text.ts'
import { renderTable } from '../../table.ts'
import type { BrokenTests, TestShift } from '../broken-tests.ts'
import type { Comparison } from '../comparison.ts'
import { hasError } from '../error-counts.ts'
import type { Pair } from '../pair-tests.ts'
import type { Passes } from '../pass-share.ts'
import { evidenceText } from './evidence-text.ts'
import { changeText, listText, nameText, pText } from './figure-text.ts'
import { verdictText } from './verdict-text.ts'

/** Two sides as people compare them: the figures, the tests that differ, and what that shows. */
export function comparisonText(comparison: Comparison, palette: Palette): string {
  return [
    figuresTable(comparison),
    '\n',
    testsText(comparison, palette),
    '\n',
    countedText(comparison),
    evidenceText(comparison),
    shiftsText(comparison, palette),
    verdictText(comparison, palette),
  ].join('')
}

function figuresTable({ before, after, pairs }: Comparison): string {
  const rows = [before, after].map(({ label, pass_rate, score }) => [
    onOneLine(label),
    rateText(pass_rate),
    scoreText(score),
  ])
  return renderTable([[plural(pairs.length, 'paired test'), 'pass rate', 'score'], ...rows], 3)
}

function testsText(comparison: Comparison, palette: Palette): string {
  const { pairs, changed } = comparison
  const worse = sorted(pairs.filter(({ difference }) => difference < 0))
  const improved = sorted(pairs.filter(({ difference }) => difference > 0))
  const same = pairs.length - worse.length - improved.length
  const counts = `${improved.length} improved, ${worse.length} worse, ${same} the same`
  const lists = [
    listText('worse', worse.map(valuesText), palette.error),
    listText('improved', improved.map(valuesText), palette.good),
    listText('new', comparison.new.map(nameText), palette.warning),
    listText('gone', comparison.gone.map(nameText), palette.warning),
    listText('changed', changed.map(nameText), palette.warning),
  ]
  return `${plural(pairs.length, 'test')} compared: ${counts}${leftOut(comparison)}\n${lists.join('')}`
}

/** The largest differences first. */
function sorted(pairs: readonly Pair[]): Pair[] {
  return pairs.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
}

function leftOut({ new: added, gone, changed }: Comparison): string {
  const parts = [
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
  ]
  return parts.length > 0 ? `; left out: ${parts.join(', ')}` : ''
}

function valuesText(pair: Pair): string {
  const [before, after] = pair.outcomes.map(({ errors }) => errors)
  const errors = hasError(pair) ? ` (errors: ${before} → ${after})` : ''
  return `${nameText(pair)} ${changeText(pair.before, pair.after)}${errors}`
}

/** Shows what is compared where it is not the score: a missed required check, or an error, counts 0. */
function countedText({ before, after, pairs }: Comparison): string {
  if (pairs.length === 0) return ''
  const values = [mean(pairs.map(pair => pair.before)), mean(pairs.map(pair => pair.after))] as const
  const isScore = [before, after].every(({ score }, side) => Math.abs((score?.mean ?? -1) - (values[side] ?? 0)) < 1e-6)
  return isScore ? '' : `compared: ${changeText(...values)} (an error or a missed required check counts 0)\n`
}

/** Tests whose own attempts show that they broke, or were mended. */
function shiftsText({ broke, mended, repeated_tests }: BrokenTests, palette: Palette): string {
  const line = (shift: TestShift) =>
    `${nameText(shift)} ${passesText(shift.before)} → ${passesText(shift.after)}, ${pText(shift.p)} (Fisher, Holm over ${plural(repeated_tests, 'test')}: ${pText(shift.adjusted_p)})`
  return `${listText('broke', broke.map(line), palette.error)}${listText('mended', mended.map(line), palette.good)}`
}

function passesText({ passed, attempts }: Passes): string {
  return `${passed} of ${attempts}`
}
