import { dollars } from '../lib/figures.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import type { RunReader } from '../model/run-reader.ts'
import { type Gate, type GateOptions, gate } from '../report/gate.ts'
import { type Outcome, outcomeOf } from '../report/outcome.ts'
import { runNotes } from '../report/run-notes.ts'
import { countsText, notableText, suitesTable } from '../report/summary.ts'
import { trialsText } from '../report/trials-text.ts'
import { triggersText } from '../report/trigger-text.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { paletteFor, shownFrom } from './terminal/terminal.ts'

/** How a run ended: in words for people, and as an exit code. */
export interface Conclusion {
  readonly outcome: Outcome
  readonly text: string
  readonly code: ExitCode
}

export function conclude(
  run: RunReader,
  options: GateOptions & { readonly quiet?: boolean | undefined; readonly stoppedEarly?: boolean },
): Conclusion {
  const outcome = outcomeOf(run)
  const judged = gate(outcome, options)
  const palette = paletteFor(process.stderr)
  const blocks = [
    options.quiet || outcome.tests.length === 0 ? '' : `${suitesTable(outcome)}${trialsText(outcome)}`,
    notableText(outcome, { palette, shown: shownFrom(run.info?.root) }),
    triggersText(outcome, palette, options.quiet),
    [...runNotes(outcome).map(onOneLine), `${countsText(outcome, palette)}${spendText(outcome)}\n`].join('\n'),
  ]
  const text = blocks.map(block => (block === '' ? '' : `\n${block}`)).join('')
  return { outcome, text: gateText(text, judged, options), code: exitCode(outcome, judged, options.stoppedEarly) }
}

/** `, cost $0.0123, judges $0.0045 (12 calls)`, as far as it is known. */
function spendText({ cost_usd, judge_usage: judges }: Outcome): string {
  const cost = cost_usd === undefined ? '' : `, cost ${dollars(cost_usd)}`
  if (!judges) return cost
  if (judges.cost_usd === undefined) return `${cost}, ${plural(judges.calls, 'judge call')}`
  return `${cost}, judges ${dollars(judges.cost_usd)} (${plural(judges.calls, 'call')})`
}

/** The gate is shown where the verdicts alone do not tell how it ended. */
function gateText(text: string, { held, reason }: Gate, options: GateOptions): string {
  const { min_pass_rate, fail_on, allow_flaky } = options
  if (min_pass_rate === undefined && fail_on !== 'borderline' && !allow_flaky) return text
  return `${text}quality gate ${held ? 'passed' : 'failed'}: ${reason}\n`
}

/** Errors outrank failures. Attempts that were left out on purpose after a failure are none. */
function exitCode(outcome: Outcome, { held, errors }: Gate, stoppedEarly = false): ExitCode {
  if (outcome.has_bug) return EXIT.bug
  if (errors > 0 || outcome.changed.length > 0 || (outcome.not_run > 0 && !stoppedEarly)) return EXIT.incomplete
  return held ? EXIT.ok : EXIT.failed
}
