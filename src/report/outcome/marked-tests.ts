import { groupBy } from '../../lib/collections.ts'
import { plural } from '../../lib/text/format.ts'
import { isQuarantined } from '../../model/mark.ts'
import { armName } from '../../model/result.ts'
import type { SkippedRecord } from '../../model/run-info.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { TestOutcome } from './test-outcome.ts'

/** The tests of a run that marks are about. */
export interface MarkedOutcome {
  /** The tests that count in figures. */
  readonly tests: readonly TestOutcome[]
  /** The tests in quarantine. */
  readonly quarantined: readonly TestOutcome[]
  /** The tests that were not run. */
  readonly skipped: readonly SkippedRecord[]
}

/** What a mark makes of the verdict of a test. */
export type Standing = 'unexpected pass' | 'expected failure' | 'quarantined'

/** Undefined where the verdict means what it says. A control arm never fails the gate, so its passes are not unexpected. */
export function standingOf(test: Pick<TestOutcome, 'mark' | 'verdict' | 'is_control'>): Standing | undefined {
  const { mark, verdict, is_control } = test
  if (isQuarantined(test)) return 'quarantined'
  if (!mark || verdict === 'error') return undefined
  if (verdict !== 'pass') return 'expected failure'
  return is_control ? undefined : 'unexpected pass'
}

export function isUnexpectedPass(test: TestOutcome): boolean {
  return standingOf(test) === 'unexpected pass'
}

export function isExpectedFailure(test: TestOutcome): boolean {
  return standingOf(test) === 'expected failure'
}

/** All tests with results: those that count, then those in quarantine. */
export function allTests({ tests, quarantined }: Omit<MarkedOutcome, 'skipped'>): readonly TestOutcome[] {
  return quarantined.length === 0 ? tests : [...tests, ...quarantined]
}

/** The number of tests with each mark; tests on several targets count once for each. */
export function markCounts({ tests, quarantined, skipped }: MarkedOutcome) {
  return {
    skipped: skipped.length,
    expected_failures: tests.filter(isExpectedFailure).length,
    unexpected_passes: tests.filter(isUnexpectedPass).length,
    quarantined: quarantined.length,
  }
}

/** `1 expected failure`, `2 unexpected passes`: tests whose verdict does not mean what it says. */
export function standingTexts(tests: readonly TestOutcome[]): readonly { standing: Standing; text: string }[] {
  const [failures, passes] = [tests.filter(isExpectedFailure).length, tests.filter(isUnexpectedPass).length]
  return [
    ...(passes > 0 ? [{ standing: 'unexpected pass', text: unexpectedText(passes) } as const] : []),
    ...(failures > 0 ? [{ standing: 'expected failure', text: plural(failures, 'expected failure') } as const] : []),
  ]
}

export function unexpectedText(passes: number): string {
  return `${passes} unexpected ${passes === 1 ? 'pass' : 'passes'}`
}

/** `2 skipped`, `1 quarantined (1 failed), until 2026-12-31`: tests that are reported apart. */
export function apartTexts({ quarantined, skipped }: Omit<MarkedOutcome, 'tests'>): string[] {
  return [
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    ...(quarantined.length > 0 ? [quarantineText(quarantined)] : []),
  ]
}

function quarantineText(tests: readonly TestOutcome[]): string {
  const counts = [...groupBy(tests, ({ verdict }) => verdict)].map(([verdict, { length }]) => {
    return `${length} ${VERDICT_WORDS[verdict as Verdict]}`
  })
  const days = [...new Set(tests.flatMap(({ mark }) => (mark?.kind === 'quarantine' ? [mark.until] : [])))].sort()
  const until = days.length > 1 ? `the first until ${days[0]}` : `until ${days[0]}`
  return `${tests.length} quarantined (${counts.join(', ')}), ${until}`
}

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  pass: 'passed',
  borderline: 'borderline',
  fail: 'failed',
  error: 'with errors',
}

/** Notes on the marks of a run: how many tests have which. */
export function markNotes(outcome: MarkedOutcome): string[] {
  const texts = standingTexts(outcome.tests).map(({ standing, text }) =>
    standing === 'unexpected pass' ? `${text}: remove \`expected_failure\`` : text,
  )
  return [...texts, ...apartTexts(outcome)]
}

/** A marked test for a list. */
export interface MarkedTest {
  readonly standing: Standing | 'skipped'
  /** `refund on default`. */
  readonly name: string
  readonly file: string
  readonly line: number
  /** What to do, or why it is marked. */
  readonly text: string
}

/** Most tests of one kind in a list. */
const MAX_LISTED = 20

/** Marked tests of one kind. */
export interface MarkedList {
  readonly tests: readonly MarkedTest[]
  /** `and 3 more (skipped)`; empty if all are listed. */
  readonly more: readonly string[]
}

/** Lists marked tests with their reasons, unexpected passes first. */
export function listMarked(outcome: MarkedOutcome): readonly MarkedList[] {
  const tests = allTests(outcome).flatMap(test => markedTest(test) ?? [])
  const skipped = outcome.skipped.map(({ test_id: name, file, line, reason: text }): MarkedTest => {
    return { standing: 'skipped', name, file, line, text }
  })
  const order: readonly MarkedTest['standing'][] = ['unexpected pass', 'expected failure', 'quarantined', 'skipped']
  return order.map(wanted => {
    const found = [...tests, ...skipped].filter(({ standing }) => standing === wanted)
    const more = found.length - MAX_LISTED
    return { tests: found.slice(0, MAX_LISTED), more: more > 0 ? [`and ${more} more (${wanted})`] : [] }
  })
}

function markedTest(test: TestOutcome): MarkedTest | undefined {
  const { test_id, target, is_control, file, line, verdict, mark } = test
  const standing = standingOf(test)
  if (!standing || !mark) return undefined
  const texts: Readonly<Record<Standing, string>> = {
    'unexpected pass': `passes now, so remove \`expected_failure\` (${mark.reason})`,
    'expected failure': mark.reason,
    quarantined: `${VERDICT_WORDS[verdict]}, ${mark.kind === 'quarantine' ? `until ${mark.until}: ` : ''}${mark.reason}`,
  }
  return { standing, name: `${test_id} on ${armName(target, is_control)}`, file, line, text: texts[standing] }
}
