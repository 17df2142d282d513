import { dollars } from '../lib/figures.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import type { Outcome } from './outcome.ts'
import { runNotes } from './run-notes.ts'
import { countsText, notableText, type SummaryStyle, suitesTable } from './summary.ts'
import { trialsText } from './trials-text.ts'
import { triggersText } from './trigger-text.ts'

/** What a run prints at its end, in blocks; `quiet` leaves out the tables of what is well. */
export function runBlocks(outcome: Outcome, style: SummaryStyle, quiet = false): string[] {
  const { palette } = style
  const blocks = [
    quiet || outcome.tests.length === 0 ? '' : `${suitesTable(outcome)}${trialsText(outcome)}`,
    notableText(outcome, style),
    triggersText(outcome, palette, quiet),
    [...runNotes(outcome).map(onOneLine), `${countsText(outcome, palette)}${spendText(outcome)}\n`].join('\n'),
  ]
  return blocks.filter(block => block !== '')
}

/** `, cost $0.0123, judges $0.0045 (12 calls)`, as far as it is known. */
function spendText({ cost_usd, judge_usage: judges }: Outcome): string {
  const cost = cost_usd === undefined ? '' : `, cost ${dollars(cost_usd)}`
  if (!judges) return cost
  if (judges.cost_usd === undefined) return `${cost}, ${plural(judges.calls, 'judge call')}`
  return `${cost}, judges ${dollars(judges.cost_usd)} (${plural(judges.calls, 'call')})`
}
