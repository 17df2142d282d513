import type { Palette } from '../../lib/palette.ts'
import { plural } from '../../lib/plural.ts'
import { onOneLine } from '../../lib/printable.ts'
import { rateText, scoreText } from '../rate-text.ts'
import { renderTable } from '../table.ts'
import type { ComparedVerdict, Comparison } from './comparison.ts'
import type { Evidence } from './evidence.ts'
import { isWithin, type Needed } from './needed.ts'
import type { Pair, TestName } from './pair-tests.ts'

/** How many tests of a kind are listed. */
const MOST_LISTED = 20

/** Two sides as people compare them: the figures, the tests that changed, and what may be said of it. */
export function comparisonText(comparison: Comparison, palette: Palette): string {
  return `${figuresTable(comparison)}\n${testsText(comparison, palette)}\n${evidenceText(comparison)}${verdictText(comparison, palette)}`
}

function figuresTable({ before, after }: Comparison): string {
  return renderTable(
    [
      ['', 'pass rate', 'score'],
      ...[before, after].map(({ label, pass_rate, score }) => [
        onOneLine(label),
        rateText(pass_rate),
        scoreText(score),
      ]),
    ],
    3,
  )
}

function testsText(comparison: Comparison, palette: Palette): string {
  const { pairs, changed, unscored } = comparison
  const worse = sorted(pairs.filter(({ difference }) => difference < 0))
  const improved = sorted(pairs.filter(({ difference }) => difference > 0))
  const same = pairs.length - worse.length - improved.length
  const counts = `${improved.length} improved, ${worse.length} worse, ${same} the same`
  const lists = [
    ...listed('worse', worse.map(scoresOf), palette.error),
    ...listed('improved', improved.map(scoresOf), palette.good),
    ...listed('new', comparison.new.map(nameText), palette.warning),
    ...listed('gone', comparison.gone.map(nameText), palette.warning),
    ...listed('changed', changed.map(nameText), palette.warning),
    ...listed('no score', unscored.map(nameText), palette.warning),
  ]
  return `${plural(pairs.length, 'test')} compared: ${counts}${leftOut(comparison)}\n${lists.join('')}`
}

/** The largest differences first. */
function sorted(pairs: readonly Pair[]): Pair[] {
  return [...pairs].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
}

function leftOut({ new: added, gone, changed, unscored }: Comparison): string {
  const parts = [
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(gone.length > 0 ? [`${gone.length} gone`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    ...(unscored.length > 0 ? [`${unscored.length} without a score`] : []),
  ]
  return parts.length > 0 ? `; left out: ${parts.join(', ')}` : ''
}

function listed(label: string, lines: readonly string[], paint: (text: string) => string): string[] {
  const shown = lines.slice(0, MOST_LISTED).map(line => `  ${paint(label.padEnd(8))} ${line}\n`)
  const more = lines.length - shown.length
  return more > 0 ? [...shown, `  ${' '.repeat(8)} and ${more} more\n`] : shown
}

function nameText({ suite, test_id }: TestName): string {
  return onOneLine(`${suite} ${test_id}`)
}

function scoresOf(pair: Pair): string {
  return `${nameText(pair)} ${pair.before.toFixed(2)} → ${pair.after.toFixed(2)}`
}

/** `difference −0.15 [−0.24 to −0.06], p = 0.0012 (exact McNemar)`. */
function evidenceText({ evidence, adjusted_p }: Comparison): string {
  if (!evidence) return 'no test is in both and the same: there is nothing to compare\n'
  const { mean, interval, p, test } = evidence
  const range = interval ? ` [${signed(interval.low)} to ${signed(interval.high)}]` : ''
  const adjusted = adjusted_p !== undefined && adjusted_p !== p ? `, ${pText(adjusted_p)} among all comparisons` : ''
  return `difference ${signed(mean)}${range}${p === undefined ? '' : `, ${pText(p)} (${test})`}${adjusted}\n`
}

/** With a minus as long as the plus; 0 has no sign. */
function signed(value: number): string {
  const text = Math.abs(value).toFixed(3)
  if (Number(text) === 0) return text
  return `${value < 0 ? '−' : '+'}${text}`
}

/** However much the tests agree, chance is never out of the question. */
function pText(p: number): string {
  if (p < 0.0001) return 'p < 0.0001'
  return `p = ${p < 0.1 ? p.toFixed(4) : p.toFixed(2)}`
}

function verdictText({ verdict, needed, evidence, margin }: Comparison, palette: Palette): string {
  const paints: Readonly<Record<ComparedVerdict, (text: string) => string>> = {
    better: palette.good,
    worse: palette.error,
    'not shown': palette.warning,
  }
  const by = margin > 0 ? `, with a margin of ${margin}` : ''
  return `${paints[verdict](verdict)}${verdict === 'not shown' ? whyNot(needed, evidence, margin) : by}\n`
}

function whyNot(needed: Needed | undefined, evidence: Evidence | undefined, margin: number): string {
  if (needed) {
    const trials = needed.trials === undefined ? '' : `, or ${needed.trials} trials of these`
    const beyond = margin > 0 && needed.difference < 0 ? ' beyond the margin' : ''
    return `: to tell a difference of ${signed(needed.difference)}${beyond} from chance takes about ${needed.tests} tests${trials}`
  }
  if (!evidence) return ''
  if (evidence.differing === 0) return ': no test differs'
  if (isWithin(evidence.mean, margin)) return `: what was lost is within the margin of ${margin}`
  return ': too few tests differ to tell that from chance'
}
