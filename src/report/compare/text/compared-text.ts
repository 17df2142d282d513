import type { Palette } from '../../../lib/palette.ts'
import { onOneLine } from '../../../lib/printable.ts'
import { runNotes } from '../../run-notes.ts'
import type { CompareGates } from '../compare-gate.ts'
import type { ComparedRuns } from '../compare-runs.ts'
import type { ComparedRun } from '../sides.ts'
import { agreementText } from './agreement-text.ts'
import { comparisonText } from './comparison-text.ts'
import { compareGateText } from './gate-text.ts'

/** What `assay compare` prints. */
export function comparedText(compared: ComparedRuns, gates: CompareGates, palette: Palette): string {
  const { runs, comparisons, agreement, gate } = compared
  const parts = [
    notesText(runs),
    ...comparisons.map(comparison => comparisonText(comparison, palette)),
    agreement ? agreementText(agreement) : '',
    compareGateText(gate, comparisons, gates, palette),
  ]
  return parts.filter(part => part !== '').join('\n')
}

/** What a reader must know of the runs before their figures. */
function notesText(runs: readonly ComparedRun[]): string {
  return runs
    .flatMap(({ name, outcome }) => runNotes(outcome).map(note => `${onOneLine(`${name}: ${note}`)}\n`))
    .join('')
}
