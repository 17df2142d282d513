import { type Lane, mapConcurrent } from '../lib/map-concurrent.ts'
import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import type { Target } from '../model/target.ts'
import { armPositions } from '../plan/interleave.ts'
import { attemptsOf, type Unit, unitsByTarget } from '../plan/units.ts'
import { NotRun } from './ask.ts'
import { createAskFactory, type PolicyContext } from './ask-target.ts'
import { type AttemptContext, runAttempt } from './run-attempt.ts'

export interface RunContext extends AttemptContext, PolicyContext {
  /** Limit of concurrent attempts; undefined: only the limits of the targets. */
  readonly workers: number | undefined
  /** Aborts when no attempt may start anymore. */
  readonly stop: AbortSignal
}

/**
 * Runs the attempts of a plan and yields their results as they finish: those that finish together are recorded
 * together. Attempts that are given up have none.
 */
export type PlanRunner = (plan: Plan, context: RunContext) => AsyncGenerator<readonly Result[]>

const LONGEST_BREATH_MS = 10

/** Runs a plan on this machine. */
export async function* runPlan(plan: Plan, context: RunContext): AsyncGenerator<readonly Result[]> {
  const asks = createAskFactory(context)
  let breath = context.host.clock.elapsed()
  const results = mapConcurrent<Unit, Result>({
    lanes: lanesOf(plan.attempts, context),
    limit: context.workers ?? Number.POSITIVE_INFINITY,
    work: async (unit, emit) => {
      for (const attempt of attemptsOf(unit)) {
        if (context.stop.aborted || context.abort.signal.aborted) return
        context.notify({ type: 'started', attempt })
        try {
          const result = await runAttempt(attempt, asks, context)
          // Before the next attempt starts: `fail_fast` must see it.
          context.notify({ type: 'finished', attempt, result })
          emit(result)
        } catch (error) {
          if (!(error instanceof NotRun)) throw error
          context.notify({ type: 'given-up', attempt, reason: error.reason })
        }
      }
    },
  })
  try {
    for await (const finished of results) {
      yield finished
      // Synchronous answers would block timers and signals until the last one.
      if (context.host.clock.elapsed() - breath < LONGEST_BREATH_MS) continue
      await context.host.clock.yieldToEvents()
      breath = context.host.clock.elapsed()
    }
  } finally {
    // A check may have asked for the answer of an attempt that was never started.
    await asks.endAll()
  }
}

/** One lane per target. Arms of the same tests keep pace, so that they are compared under the same conditions. */
function lanesOf(attempts: readonly Attempt[], { host, workers }: RunContext): Lane<Unit>[] {
  const targets = unitsByTarget(attempts)
  const positions = attempts.some(({ is_control }) => is_control) ? armPositions(targets, attempts) : []
  return targets.map(({ target, units }, index) => ({
    items: units,
    limit: workerLimit(target, workers, host),
    group: target.base,
    positions: positions[index],
  }))
}

const DEFAULT_WORKERS = 16

/** Limit of concurrent requests to a target: its own setting, else the user's, else its provider's. */
export function workerLimit(
  { settings, provider }: Pick<Target, 'settings' | 'provider'>,
  given: number | undefined,
  host: Host,
): number {
  return settings.workers ?? given ?? provider.execution?.workers?.(host) ?? DEFAULT_WORKERS
}
