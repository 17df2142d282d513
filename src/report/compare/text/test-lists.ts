import type { Palette } from '../../../lib/palette.ts'
import { plural } from '../../../lib/text/format.ts'
import type { Comparison } from '../comparison.ts'
import type { Pair, PassCount } from '../pair-tests.ts'
import { hasError, type TestShift } from '../test-changes.ts'
import { formatChange, formatP, nameText } from './format-values.ts'

/** Tests of one kind, a line each. */
export interface TestList {
  readonly label: string
  /** The colour of the label. */
  readonly tone: keyof Pick<Palette, 'good' | 'error' | 'warning'>
  readonly lines: readonly string[]
}

/** What tests are called that only one side has. */
export interface UnpairedWords {
  /** Only on the second side. */
  readonly new: string
  /** Only on the first side. */
  readonly gone: string
}

const UNPAIRED: UnpairedWords = { new: 'new', gone: 'gone' }

/** `24 tests compared: 0 improved, 4 worse, 20 the same; left out: 1 new`. */
export function testCountsText(comparison: Comparison, words = UNPAIRED): string {
  const { pairs, new: added, gone, changed, quarantined, carried, same_results } = comparison
  const [worse, improved] = [worseTests(pairs).length, improvedTests(pairs).length]
  const same = pairs.length - worse - improved
  const left = [
    ...(added.length > 0 ? [`${added.length} ${words.new}`] : []),
    ...(gone.length > 0 ? [`${gone.length} ${words.gone}`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed`] : []),
    ...(quarantined.length > 0 ? [`${quarantined.length} quarantined`] : []),
    ...(carried.length > 0 ? [`${carried.length} carried over`] : []),
    ...(same_results > 0 ? [`${same_results} with the same result on both sides`] : []),
  ]
  const counts = `${improved} improved, ${worse} worse, ${same} the same`
  return `${plural(pairs.length, 'test')} compared: ${counts}${left.length > 0 ? `; left out: ${left.join(', ')}` : ''}`
}

/** The tests that differ, largest differences first, and those that are left out. */
export function testLists(comparison: Comparison, words = UNPAIRED): TestList[] {
  const { pairs, changed, new: added, gone, quarantined } = comparison
  return [
    { label: 'worse', tone: 'error', lines: worseTests(pairs).map(valuesText) },
    { label: 'improved', tone: 'good', lines: improvedTests(pairs).map(valuesText) },
    { label: words.new, tone: 'warning', lines: added.map(nameText) },
    { label: words.gone, tone: 'warning', lines: gone.map(nameText) },
    { label: 'changed', tone: 'warning', lines: changed.map(nameText) },
    { label: 'quarantined', tone: 'warning', lines: quarantined.map(nameText) },
  ]
}

/** Single tests that broke or were fixed by the evidence of their own attempts. */
export function shiftLists({ broke, mended, repeated_tests }: Comparison): TestList[] {
  const line = (shift: TestShift) =>
    `${nameText(shift)} ${passesText(shift.before)} → ${passesText(shift.after)}, ${formatP(shift.p)} (Fisher, Holm over ${plural(repeated_tests, 'test')}: ${formatP(shift.adjusted_p)})`
  return [
    { label: 'broke', tone: 'error', lines: broke.map(line) },
    { label: 'mended', tone: 'good', lines: mended.map(line) },
  ]
}

function worseTests(pairs: readonly Pair[]): Pair[] {
  return sorted(pairs.filter(({ difference }) => difference < 0))
}

function improvedTests(pairs: readonly Pair[]): Pair[] {
  return sorted(pairs.filter(({ difference }) => difference > 0))
}

/** Sorts by size of the difference. */
function sorted(pairs: readonly Pair[]): Pair[] {
  return pairs.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
}

function valuesText(pair: Pair): string {
  const [before, after] = pair.outcomes.map(({ errors }) => errors)
  const errors = hasError(pair) ? ` (errors: ${before} → ${after})` : ''
  return `${nameText(pair)} ${formatChange(pair.before, pair.after)}${errors}`
}

function passesText({ passed, attempts }: PassCount): string {
  return `${passed} of ${attempts}`
}
