import { compositeKey } from '../../lib/collections.ts'
import { plural } from '../../lib/text/format.ts'
import type { AgainstComparison } from '../compare/against.ts'
import { isGated } from '../compare/compare-gate.ts'
import type { Comparison } from '../compare/comparison.ts'
import { type ComparisonGateOptions, gatesOf } from '../compare/comparison-gates.ts'
import type { RunTest } from '../outcome/run-tests.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { markdownText } from './markdown-text.ts'

/** What the comparison with saved results came to, in one line. */
export function againstHeading(compared: AgainstComparison, name: string, options: ComparisonGateOptions): string {
  const against = markdownText(name)
  const { gate } = compared
  const what = conclusionText(compared.comparisons)
  if (!isGated(gatesOf(options))) return `### Against ${against}: ${what}\n`
  if (gate.result === 'passed') return `### Quality gate passed against ${against}: ${what}\n`
  const outcome = gate.result === 'failed' ? 'failed' : `cannot pass (${gate.result})`
  return `### Quality gate ${outcome} against ${against}: ${gate.reasons.map(markdownText).join('; ')}\n`
}

/** `worse`, `no test affected`, `large better, small inconclusive`; with the number of new failures. */
function conclusionText(comparisons: readonly Comparison[]): string {
  const isUnaffected = ({ pairs, carried, changed, new: added }: Comparison) =>
    carried.length > 0 && pairs.length + changed.length + added.length === 0
  if (comparisons.length > 0 && comparisons.every(isUnaffected)) return 'no test affected'
  const verdicts = comparisons.map(({ after, verdict }) =>
    comparisons.length > 1 ? `${markdownText(after.target ?? after.label)} ${verdict}` : verdict,
  )
  const failures = comparisons.reduce((sum, { new_failures }) => sum + new_failures.length, 0)
  return [...verdicts, ...(failures > 0 ? [plural(failures, 'new failure')] : [])].join(', ')
}

/** Splits failed tests into those that broke since the results were saved, and the others. */
export function splitBroken(
  tests: readonly RunTest[],
  { comparisons }: AgainstComparison,
): { readonly broken: readonly RunTest[]; readonly others: readonly RunTest[] } {
  const broken = new Set(
    comparisons.flatMap(({ after, new_failures, broke }) =>
      [...new_failures, ...broke].map(({ suite, test_id }) => compositeKey(suite, test_id, after.target ?? '')),
    ),
  )
  const isBroken = ({ outcome }: RunTest) => broken.has(keyOf(outcome))
  return { broken: tests.filter(isBroken), others: tests.filter(test => !isBroken(test)) }
}

function keyOf({ suite, test_id, target }: TestOutcome): string {
  return compositeKey(suite, test_id, target)
}
