import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatPercent, plural } from '../../../lib/text/format.ts'
import type { Agreement } from '../agreement.ts'
import { type CompareGateOptions, type CompareGateResult, isGated } from '../compare-gate.ts'
import type { RunComparison } from '../compare-runs.ts'
import { newFailureList } from '../new-failure-list.ts'
import { selectionText } from '../test-selection.ts'
import { comparisonNotes } from './comparison-notes.ts'
import { comparisonText } from './comparison-text.ts'
import { comparisonSlicesText } from './slices-text.ts'
import { listTexts } from './test-lists-text.ts'

/** Formats the output of `assay compare`. */
export function runComparisonText(compared: RunComparison, gates: CompareGateOptions, palette: Palette): string {
  const { comparisons, slices, agreement } = compared
  const parts = [
    comparisonNotes(compared)
      .map(note => `${printableLine(note)}\n`)
      .join(''),
    ...comparisons.flatMap((comparison, index) => [
      comparisonText(comparison, palette),
      comparisonSlicesText(slices[index] ?? []),
    ]),
    agreement ? agreementText(agreement) : '',
    compareGateText(compared, gates, palette),
  ]
  return parts.filter(part => part !== '').join('\n')
}

/** `same answers, graded twice: 67 % of 3 tests have the same verdict, κ 0.40`. */
export function agreementText({ tests, errors, share, kappa }: Agreement): string {
  const beyond = kappa === undefined ? 'κ undefined (every verdict is the same)' : `κ ${kappa.toFixed(2)}`
  const agreed =
    share === undefined
      ? 'no comparable tests'
      : `${formatPercent(share)} of ${plural(tests, 'test')} have the same verdict, ${beyond}`
  const left = errors === 0 ? '' : `; ${plural(errors, 'test')} with errors not comparable`
  return `same answers, graded twice: ${agreed}${left}\n`
}

/** Formats the result of the requested gates with its reasons, and lists new failures. */
export function compareGateText(
  compared: Pick<RunComparison, 'gate' | 'comparisons' | 'selection'>,
  gates: CompareGateOptions,
  palette: Palette,
): string {
  if (!isGated(gates)) return ''
  const { gate, selection } = compared
  const failures = gate.result === 'passed' ? '' : listTexts([newFailureList(compared, gates)], palette)
  return `${gateResultText(gate, palette, selection && `${selectionText(selection)}: `)}${failures}`
}

/** `quality gate failed: worse; 2 tests broke`; `part` says of which tests, if not of all. */
export function gateResultText({ result, reasons }: CompareGateResult, palette: Palette, part = ''): string {
  const tests = printableLine(part)
  if (result === 'passed') return `${tests}quality gate ${palette.good('passed')}\n`
  const outcome = result === 'failed' ? 'failed' : `cannot pass (${result})`
  return `${tests}quality gate ${palette.error(outcome)}: ${reasons.map(printableLine).join('; ')}\n`
}
