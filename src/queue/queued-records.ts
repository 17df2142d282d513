import type { Attempt } from '../model/attempt.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import { type RunContext, runPlan } from '../run/run-plan.ts'
import { refusedByRedis } from './connection.ts'
import { Coordinator, type QueuedOptions } from './coordinator.ts'

/** Makes the records of a plan as `runPlan` does, by workers anywhere. */
export async function* queuedRecords(plan: Plan, context: RunContext, options: QueuedOptions): AsyncGenerator<Result> {
  // Nobody else has what was answered before and never judged, or is in records of this machine. A workspace may be elsewhere.
  const isHere = ({ id, target }: Attempt) => {
    const answer = context.answers.get(id)
    return target.provider.isLocal === true || (answer !== undefined && answer.workspace_path === undefined)
  }
  const here = plan.attempts.filter(isHere)
  if (here.length > 0) yield* runPlan({ ...plan, attempts: here }, context)
  const attempts = plan.attempts.filter(attempt => !isHere(attempt))
  if (attempts.length === 0 || context.stop.aborted) return
  try {
    yield* new Coordinator(attempts, context, options).records()
  } catch (error) {
    refusedByRedis(error, 'What is recorded stays: `assay eval --resume --queue` goes on.')
  }
}
