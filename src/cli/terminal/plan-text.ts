import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { renderTable } from '../../lib/text/table.ts'
import type { ArmPair } from '../../model/run-info.ts'
import type { PlannedSuite, PlanSummary } from '../../operations/run/plan-summary.ts'
import { inapplicableText } from '../../report/outcome/inapplicable-tests.ts'

/** A plan for people. */
export function planText({ attempts, total, judge_calls, suites, arms, not_applicable }: PlanSummary): string {
  const shard = attempts < total ? ` of ${total}` : ''
  const judges = judge_calls > 0 ? `, at least ${plural(judge_calls, 'judge call')}` : ''
  const inapplicable = not_applicable
    .map(({ target, tests }) => `${printableLine(inapplicableText(tests, target))}\n`)
    .join('')
  const count = `${plural(attempts, 'attempt')}${shard}${judges}\n`
  return `${planTable(suites, judge_calls > 0)}\n${inapplicable}${count}${arms.map(armsLine).join('')}`
}

/** `with-skill and without-skill differ in: skills`. */
function armsLine({ target, control, differs_in }: ArmPair): string {
  const fields = differs_in.length === 0 ? 'do not differ' : `differ in: ${differs_in.join(', ')}`
  return `${printableLine(`${target} and ${control} ${fields}`)}\n`
}

function planTable(rows: readonly PlannedSuite[], withJudges: boolean): string {
  const header = ['suite', 'target', 'provider', 'tests', 'attempts', ...(withJudges ? ['judge calls'] : [])]
  const cells = rows.map(({ suite, target, control, provider, tests, attempts, judge_calls }) => [
    ...[suite, control ? `${target} (control)` : target, provider].map(printableLine),
    ...[tests, attempts, ...(withJudges ? [judge_calls] : [])].map(String),
  ])
  return renderTable([header, ...cells], 3)
}
