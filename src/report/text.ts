import { PLAIN } from '../lib/palette.ts'
import type { RunReader } from '../model/run-reader.ts'
import { runArms } from './compare/arms.ts'
import { outcomeOf } from './outcome/run-outcome.ts'
import type { Reporter } from './reporter.ts'
import { summaryBlocks } from './summary.ts'

export const text: Reporter = {
  type: 'text',
  summary: 'What a run prints at its end.',
  render: run => [{ text: [textOf(run)] }],
}

function textOf(run: RunReader): string {
  const outcome = outcomeOf(run)
  const style = { palette: PLAIN, displayPath: (file: string) => file }
  return summaryBlocks(outcome, style, { arms: runArms(run, outcome) }).join('\n')
}
