import type { Palette } from '../../../lib/palette.ts'
import { onOneLine } from '../../../lib/printable.ts'
import { type CompareGate, type CompareGates, isGated } from '../compare-gate.ts'
import type { Comparison } from '../comparison.ts'
import { listText, nameText } from './figure-text.ts'

/** How the gates that were asked for ended, and why. */
export function compareGateText(
  { result, reasons }: CompareGate,
  comparisons: readonly Comparison[],
  gates: CompareGates,
  palette: Palette,
): string {
  if (!isGated(gates)) return ''
  if (result === 'passed') return `quality gate ${palette.good('passed')}\n`
  const failures = gates.fail_on_new_failures ? comparisons.flatMap(({ new_failures }) => new_failures) : []
  const lines = failures.map(
    failure => `${nameText(failure)} pass → ${failure.verdict}${failure.is_changed ? ' (changed)' : ''}`,
  )
  const outcome = result === 'failed' ? 'failed' : `cannot pass (${result})`
  return `quality gate ${palette.error(outcome)}: ${reasons.map(onOneLine).join('; ')}\n${listText('new failure', lines, palette.error)}`
}
