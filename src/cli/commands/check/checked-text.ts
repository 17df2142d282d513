import type { Diagnostic } from '../../../diagnostics/diagnostic.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatPercent, plural } from '../../../lib/text/format.ts'
import type { CheckedSuite } from '../../../operations/check/check-suite.ts'
import type { CheckedSuites } from '../../../operations/check/check-suites.ts'
import type { RecordedVerdicts, TestRecord } from '../../../operations/check/recorded-verdicts.ts'
import { problemsText } from '../../terminal/diagnostics.ts'
import type { Terminal } from '../../terminal/terminal.ts'

type Shown = Pick<CheckedSuites, 'suites' | 'tests' | 'checks' | 'left_out' | 'recorded'> & {
  readonly diagnostics: readonly Diagnostic[]
}

/** The findings, how much was tried, and what recorded runs show. */
export function checkedText(checked: Shown, terminal: Terminal): string {
  const { diagnostics, tests, checks, left_out, suites, recorded } = checked
  const untried = left_out.reduce((sum, { count }) => sum + count, 0)
  const all = `${plural(tests, 'test')} with ${plural(checks, 'check')}`
  const scope = `${all}, ${checks - untried} of them tried`
  const clean = checks > untried ? `No findings: ${scope}.` : `No findings, but no check was tried: ${all}.`
  const problems = problemsText({ diagnostics, scope, clean }, terminal.path, terminal.palette('stdout'))
  const notes = [...leftOutNotes(left_out), ...referenceNotes(suites), ...(recorded ? recordNotes(recorded) : [])]
  return `${problems}${notes.map(note => `${printableLine(note)}\n`).join('')}`
}

/** `Not tried: 3 checks by a model (--judges), 1 of time, cost or tokens.` */
function leftOutNotes([first, ...others]: Shown['left_out']): string[] {
  if (!first) return []
  const rest = others.map(({ count, reason }) => `, ${count} ${reason}`).join('')
  return [`Not tried: ${plural(first.count, 'check')} ${first.reason}${rest}.`]
}

function referenceNotes(suites: readonly CheckedSuite[]): string[] {
  const sum = (of: (suite: CheckedSuite) => number) => suites.reduce((total, suite) => total + of(suite), 0)
  const without = sum(({ tests }) => tests.filter(({ references }) => references.length === 0).length)
  const [pairs, all] = [sum(suite => suite.pairs), sum(suite => suite.all_pairs)]
  const [negated, halved] = [sum(({ weak }) => weak.negated), sum(({ weak }) => weak.halved)]
  const weak = [
    ...(negated > 0 ? [`${negated} with its opposite`] : []),
    ...(halved > 0 ? [`${halved} with its first half`] : []),
  ]
  return [
    ...(without > 0 ? [`No reference answer: ${plural(without, 'test')}.`] : []),
    ...(pairs < all ? [`Compared ${pairs} of ${all} pairs of tests.`] : []),
    ...(weak.length > 0 ? [`Tests that also pass with another text than their reference: ${weak.join(', ')}.`] : []),
  ]
}

function recordNotes({ runs, unreadable, never_failed, never_passed, always_agree }: RecordedVerdicts): string[] {
  const attempts = never_failed.reduce((least, record) => Math.min(least, record.attempts), Number.POSITIVE_INFINITY)
  const bound = never_failed.reduce((most, { failure_bound = 0 }) => Math.max(most, failure_bound), 0)
  const inRuns = `in ${plural(runs, 'recorded run')}`
  return [
    ...(unreadable.length > 0 ? [`Cannot read ${plural(unreadable.length, 'run')}: ${named(unreadable)}.`] : []),
    ...(never_failed.length > 0
      ? [
          `Never failed ${inRuns}: ${plural(never_failed.length, 'test')} with ${attempts} or more attempts each (true failure rate ≤ ${formatPercent(bound)}, 95 % confidence): ${records(never_failed)}.`,
        ]
      : []),
    ...(never_passed.length > 0
      ? [`Never passed ${inRuns}: ${plural(never_passed.length, 'test')}: ${records(never_passed)}.`]
      : []),
    ...always_agree.map(
      group => `Same verdict in all ${group[0]?.attempts ?? 0} attempts ${inRuns}: ${records(group)}.`,
    ),
  ]
}

function records(tests: readonly TestRecord[]): string {
  return named(tests.map(({ test_id }) => test_id))
}

const MOST_NAMED = 5

function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
