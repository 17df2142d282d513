import { quoteCode } from '../../lib/text/quote.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Check } from '../../model/check.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import type { JudgeRequest } from '../../model/prompt.ts'
import type { Test } from '../../model/test.ts'
import type { DiagnosticInput } from '../../parse/diagnostics.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { NotRun } from '../../run/ask.ts'
import { judgePrompt } from '../../run/ask-judge.ts'
import { type AskFactory, createAskFactory } from '../../run/ask-target.ts'
import { Budgets } from '../../run/policies/budget.ts'
import { runContext } from '../run/run-context.ts'
import type { JudgedTest, ReadyJudging } from './judging-plan.ts'
import { type KnownVerdict, Prober } from './prober.ts'
import { brokenTest } from './test-findings.ts'
import { joinFindings, type VariantFindings } from './variant-findings.ts'

export interface JudgedSuites {
  readonly findings: readonly DiagnosticInput[]
  /** Answers that no judge graded, and the first reason. */
  readonly unjudged: number
  readonly reason: string | undefined
  /** Whether the budget was spent before the end. */
  readonly is_over_budget: boolean
}

/** Asks judges about references, which must pass, and about answers that must not. */
export async function askJudges(
  judging: ReadyJudging,
  {
    max_cost_usd,
    programs = false,
  }: { readonly max_cost_usd?: number | undefined; readonly programs?: boolean | undefined },
  host: Host,
): Promise<JudgedSuites> {
  const asks = await judgeAsks(judging, max_cost_usd, host)
  const found = new Map<Test, VariantFindings[]>()
  const reasons: string[] = []
  let isOverBudget = false
  for (const tested of judging.tests) {
    const { attempt, probes } = tested
    const prober = new Prober(host, { programs, askJudge: askerFor(attempt, judging.plan, asks, host) })
    try {
      const verdicts = await Promise.all(probes.map(({ answer }) => prober.verdict(tested, answer, attempt.target)))
      const { variant } = tested
      found.set(attempt.test, [...(found.get(attempt.test) ?? []), { variant, findings: findingsOf(tested, verdicts) }])
      reasons.push(...verdicts.flatMap(unjudgedIn))
    } catch (error) {
      if (!(error instanceof NotRun)) throw error
      isOverBudget = true
      break
    }
  }
  const findings = [...found].flatMap(([{ variants }, tried]) => joinFindings(tried, variants?.length))
  return { findings, unjudged: reasons.length, reason: reasons[0], is_over_budget: isOverBudget }
}

/** Judges with timeouts, retries and limits, as in a run. Nothing is recorded. */
async function judgeAsks({ plan, planned }: ReadyJudging, maxCost: number | undefined, host: Host) {
  const folders = await findProjectFolders(undefined, host)
  const budgets = new Budgets(maxCost)
  const abort = host.clock.createAbortController()
  const context = runContext(
    { folders, previous: undefined, toJson: planned.redactor.json },
    {
      run_id: 'check',
      hashes: plan.hashes,
      judgeOf: plan.judgeOf,
      workers: undefined,
      answers: { get: () => undefined, add: (_, answer) => answer },
      budgetsOf: attempt => budgets.of(attempt),
      notify: () => {},
      stop: abort.signal,
      abort,
    },
    host,
  )
  return createAskFactory(context)
}

function askerFor(attempt: Attempt, plan: Plan, asks: AskFactory, host: Host) {
  return (check: Check, request: JudgeRequest) => {
    const judge = plan.judgeOf(attempt, check, request.judge)
    if (!judge) return Promise.reject(new Unjudged('judge-missing', 'no judge found'))
    return asks.judge(attempt, judge)(judgePrompt(request, judge, attempt), host.clock.createAbortController())
  }
}

function findingsOf({ test, probes }: JudgedTest, verdicts: readonly KnownVerdict[]): DiagnosticInput[] {
  const found = probes.flatMap(({ name, reference }, index): DiagnosticInput[] => {
    const verdict = verdicts[index]
    if (!verdict) return []
    if (reference) return verdict.can_pass ? [] : [brokenTest(test, reference, verdict)]
    if (!verdict.passes) return []
    const message = `the test ${quoteCode(test.id)} passes with ${name}, by the judgement of its judges`
    const hint = 'make the criteria or the prompt of the judge more exact'
    return [{ code: 'accepts-non-answer', at: test.at, message, hint }]
  })
  return found
}

/** Why checks that a model judges have no grade. */
function unjudgedIn({ results }: KnownVerdict): string[] {
  return results.flatMap(({ name, error }) =>
    error?.code.startsWith('judge-') && !error.message.endsWith('--programs') ? [`${name}: ${error.message}`] : [],
  )
}
