import type { Plan } from '../model/plan.ts'
import { forecastDecisions } from '../operations/run/decision-forecast.ts'
import { type PlannedMark, planSummary } from '../operations/run/plan-summary.ts'
import type { RunRequest } from '../operations/run/run-request.ts'
import type { CommandContext } from './command-context.ts'
import { forecastText, limitWarnings } from './terminal/forecast-text.ts'
import { planText } from './terminal/plan-text.ts'
import { warningText } from './terminal/progress.ts'

/** Prints what a run would do and, until it is decided, what that would take. */
export async function showPlan(
  plan: Plan,
  request: RunRequest,
  { json }: { readonly json?: boolean },
  { host, terminal }: CommandContext,
): Promise<void> {
  const { skipped, marked, ...facts } = planSummary(plan, request)
  const withPath = (test: PlannedMark) => ({ ...test, file: terminal.path(test.file) })
  const summary = { ...facts, skipped: skipped.map(withPath), marked: marked.map(withPath) }
  const decisions = await forecastDecisions(plan, request, host)
  if (json) terminal.json(decisions.length === 0 ? summary : { ...summary, decisions })
  else terminal.out(`${planText(summary)}${forecastText(decisions)}`)
}

/** Warns before a run that cannot show what it is asked for. */
export async function warnOfLimits(plan: Plan, request: RunRequest, { host, terminal }: CommandContext): Promise<void> {
  if (!request.deciding) return
  const limits = limitWarnings(await forecastDecisions(plan, request, host))
  for (const limit of limits) terminal.err(`${warningText(limit, terminal.palette('stderr'))}\n`)
}
