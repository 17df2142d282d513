import { PLAIN } from '../lib/palette.ts'
import { onOneLine } from '../lib/printable.ts'
import type { RunReader } from '../model/run-reader.ts'
import { outcomeOf } from './outcome.ts'
import type { Reporter } from './reporter.ts'
import { runNotes } from './run-notes.ts'
import { countsText, notableText, suitesTable } from './summary.ts'
import { trialsText } from './trials-text.ts'
import { triggersText } from './trigger-text.ts'

export const text: Reporter = {
  type: 'text',
  summary: 'What a run prints at its end.',
  ending: '.txt',
  render: run => [{ text: summaryOf(run) }],
}

function* summaryOf(run: RunReader): Generator<string> {
  const outcome = outcomeOf(run)
  if (outcome.tests.length > 0) yield `${suitesTable(outcome)}${trialsText(outcome)}\n`
  const notable = notableText(outcome, { palette: PLAIN, shown: file => file })
  if (notable !== '') yield `${notable}\n`
  const triggers = triggersText(outcome, PLAIN)
  if (triggers !== '') yield `${triggers}\n`
  for (const note of runNotes(outcome)) yield `${onOneLine(note)}\n`
  yield `${countsText(outcome, PLAIN)}\n`
}
