import type { Result } from '../model/result.ts'
import type { Attempt, Plan } from '../plan/attempt.ts'
import { type RunContext, runPlan } from '../run/run-plan.ts'
import { refusedByRedis } from './connection.ts'
import { Coordinator, type QueuedOptions } from './coordinator.ts'

/** Makes the records of a plan as `runPlan` does, by workers anywhere. */
export async function* queuedRecords(plan: Plan, context: RunContext, options: QueuedOptions): AsyncGenerator<Result> {
  // What was answered before and never judged is judged here: nobody else has the answers. A workspace may be elsewhere.
  const isAnswered = ({ id }: Attempt) => {
    const answer = context.answers.get(id)
    return answer !== undefined && answer.workspace_path === undefined
  }
  const answered = plan.attempts.filter(isAnswered)
  if (answered.length > 0) yield* runPlan({ ...plan, attempts: answered }, context)
  const attempts = plan.attempts.filter(attempt => !isAnswered(attempt))
  if (attempts.length === 0 || context.stop.aborted) return
  try {
    yield* new Coordinator(attempts, context, options).records()
  } catch (error) {
    refusedByRedis(error, 'What is recorded stays: `assay eval --resume --queue` goes on.')
  }
}
