import { groupBy } from '../lib/collections.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { renderTable } from '../lib/text/table.ts'
import type { Attempt } from '../model/attempt.ts'
import { type Check, nestedChecks } from '../model/check.ts'
import type { Plan } from '../model/plan.ts'

/** What a run would do. */
export function planText({ attempts, total }: Plan, json = false): string {
  const rows = rowsOf(attempts)
  const judge_calls = rows.reduce((sum, row) => sum + row.judge_calls, 0)
  if (json)
    return terminalSafeJson(
      `${JSON.stringify({ attempts: attempts.length, total, judge_calls, suites: rows }, null, 2)}\n`,
    )
  const shard = attempts.length < total ? ` of ${total}` : ''
  // A judge whose reply cannot be read is asked again.
  const judges = judge_calls > 0 ? `, at least ${plural(judge_calls, 'judge call')}` : ''
  return `${planTable(rows, judge_calls > 0)}\n${plural(attempts.length, 'attempt')}${shard}${judges}\n`
}

interface Row {
  readonly suite: string
  readonly target: string
  readonly provider: string
  readonly tests: number
  readonly attempts: number
  readonly judge_calls: number
}

function rowsOf(attempts: readonly Attempt[]): Row[] {
  const groups = groupBy(attempts, ({ suite, target }) => JSON.stringify([suite.file, target.name]))
  return [...groups.values()].map(group => {
    const [{ suite, target }] = group
    return {
      suite: suite.name,
      target: target.name,
      provider: target.provider.type,
      tests: new Set(group.map(({ test }) => test)).size,
      attempts: group.length,
      judge_calls: group.reduce((sum, { test }) => sum + judgedByModel(test.checks), 0),
    }
  })
}

/** How many of some checks, and of those inside them, a model judges: each is one call. */
function judgedByModel(checks: readonly Check[]): number {
  return checks.reduce(
    (sum, check) => sum + Number(check.evaluator.judge !== undefined) + judgedByModel(nestedChecks(check)),
    0,
  )
}

function planTable(rows: readonly Row[], withJudges: boolean): string {
  const header = ['suite', 'target', 'provider', 'tests', 'attempts', ...(withJudges ? ['judge calls'] : [])]
  const cells = rows.map(({ suite, target, provider, tests, attempts, judge_calls }) => [
    ...[suite, target, provider].map(printableLine),
    ...[tests, attempts, ...(withJudges ? [judge_calls] : [])].map(String),
  ])
  return renderTable([header, ...cells], 3)
}
