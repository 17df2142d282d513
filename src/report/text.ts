import { PLAIN } from '../lib/palette.ts'
import { printableLine } from '../lib/text/escape.ts'
import type { RunReader } from '../model/run-reader.ts'
import { compareAgainst, comparisonSections } from './compare/against.ts'
import { runArms } from './compare/arms.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import { provenanceText } from './provenance.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { runSlices } from './slices/run-slices.ts'
import { summaryBlocks } from './summary.ts'

export const text: Reporter = {
  type: 'text',
  summary: 'What a run prints at its end.',
  accepts_by: true,
  accepts_against: true,
  render: (run, options) => [{ text: [textOf(run, options)] }],
}

function textOf(run: RunReader, { by, against, calibrations }: ReportOptions = {}): string {
  const outcome = correctedOutcome(run, calibrations)
  const style = { palette: PLAIN, displayPath: (file: string) => file }
  const sections = comparisonSections(runArms(run, outcome), against && compareAgainst(run, against))
  const parts = { sections, slices: runSlices(run, outcome, by) }
  const origin = provenanceText(run.info)
  const blocks = [
    ...summaryBlocks(outcome, style, parts),
    ...(origin === undefined ? [] : [`${printableLine(origin)}\n`]),
  ]
  return blocks.join('\n')
}
