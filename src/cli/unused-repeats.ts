import type { Plan } from '../model/plan.ts'
import { planSummary } from '../operations/run/plan-summary.ts'
import type { RunRequest } from '../operations/run/run-request.ts'
import type { CommandContext } from './command-context.ts'

/** Notes that there is nothing for `--judge-repeats` to repeat. */
export function noteUnusedRepeats(
  plan: Plan,
  { judge_repeats }: Pick<RunRequest, 'judge_repeats'>,
  { terminal }: CommandContext,
): void {
  if (judge_repeats === undefined || planSummary(plan).judge_calls > 0) return
  terminal.err('--judge-repeats has no effect: no model judges these tests, and other checks always run once.\n')
}
