import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { renderTable } from '../../lib/text/table.ts'
import type { ArmPair } from '../../model/run-info.ts'
import type { PlannedMark, PlannedSuite, PlanSummary } from '../../operations/run/plan-summary.ts'
import { inapplicableText } from '../../report/outcome/inapplicable-tests.ts'

/** A plan for people. */
export function planText(summary: PlanSummary): string {
  const { attempts, total, judge_calls, suites, arms, not_applicable, skipped, marked } = summary
  const shard = attempts < total ? ` of ${total}` : ''
  const judges = judge_calls > 0 ? `, at least ${plural(judge_calls, 'judge call')}` : ''
  const inapplicable = not_applicable
    .map(({ target, tests }) => `${printableLine(inapplicableText(tests, target))}\n`)
    .join('')
  const count = `${plural(attempts, 'attempt')}${shard}${judges}\n`
  return `${planTable(suites, judge_calls > 0)}\n${inapplicable}${markLines(skipped)}${markLines(marked)}${count}${arms.map(armsLine).join('')}`
}

/** `with-skill and without-skill differ in: skills`. */
function armsLine({ target, control, differs_in }: ArmPair): string {
  const fields = differs_in.length === 0 ? 'do not differ' : `differ in: ${differs_in.join(', ')}`
  return `${printableLine(`${target} and ${control} ${fields}`)}\n`
}

const MARK_WORDS: Readonly<Record<PlannedMark['mark'], string>> = {
  skip: 'skipped',
  expected_failure: 'expected failure',
  quarantine: 'quarantined',
}

/** Most marked tests that are listed. */
const MAX_LISTED = 20

/** `skipped refund EVAL.yaml:12: no sandbox`, a line for each test. */
function markLines(tests: readonly PlannedMark[]): string {
  const lines = tests.slice(0, MAX_LISTED).map(({ mark, test_id, file, line, reason, until }) => {
    const day = until === undefined ? '' : `until ${until}: `
    return `${printableLine(`${MARK_WORDS[mark]} ${test_id} ${file}:${line}: ${day}${reason}`)}\n`
  })
  const more = tests.length > MAX_LISTED ? `and ${tests.length - MAX_LISTED} more marked tests\n` : ''
  return `${lines.join('')}${more}`
}

function planTable(rows: readonly PlannedSuite[], withJudges: boolean): string {
  const header = ['suite', 'target', 'provider', 'tests', 'attempts', ...(withJudges ? ['judge calls'] : [])]
  const cells = rows.map(({ suite, target, control, provider, tests, attempts, judge_calls }) => [
    ...[suite, control ? `${target} (control)` : target, provider].map(printableLine),
    ...[tests, attempts, ...(withJudges ? [judge_calls] : [])].map(String),
  ])
  return renderTable([header, ...cells], 3)
}
