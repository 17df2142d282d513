import { sha256 } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import type { Recordings } from '../model/recordings.ts'
import type { Attempt } from '../plan/attempt.ts'
import type { Ask, Policy } from './ask.ts'
import { type Budget, budgeted } from './policies/budget.ts'
import { type AnswerCache, cached } from './policies/cache.ts'
import { figures } from './policies/figures.ts'
import { Pace, rate } from './policies/rate.ts'
import { type AnswerLog, recorded } from './policies/recorded.ts'
import { DEFAULT_RETRIES, retry } from './policies/retry.ts'
import { timeout } from './policies/timeout.ts'
import type { RunEvent } from './run-event.ts'

const DEFAULT_TIMEOUT_SECONDS = 300

export interface PolicyContext {
  readonly host: Host
  readonly answers: AnswerLog
  readonly cache: AnswerCache | undefined
  /** How long an answer may take where neither the test, nor its suite, nor the target says. */
  readonly timeout_seconds?: number | undefined
  budgetsOf(attempt: Attempt): readonly Budget[]
  /** The answers of an earlier run, named from a folder. */
  recordings(from: string, folder: string): Promise<Recordings>
  notify(event: RunEvent): void
}

/** How each attempt's target is asked: the provider, with the policies around it. */
export function askThroughPolicies(context: PolicyContext): (attempt: Attempt) => Ask {
  const paces = new Map<string, Pace>()
  const paceOf = ({ target }: Attempt) => {
    const endpoint = target.provider.endpoint?.(target.config) ?? `${target.at.file} ${target.name}`
    const pace = paces.get(endpoint) ?? new Pace(context.host)
    paces.set(endpoint, pace)
    return pace
  }
  let saysCache = false
  return attempt => {
    const { host } = context
    const { settings } = attempt.target
    const budgets = context.budgetsOf(attempt)
    const cannotCache = ({ message }: Error) => {
      if (!saysCache) context.notify({ type: 'warning', attempt, message: `the cache cannot be written: ${message}` })
      saysCache = true
    }
    const waiting = (ms: number, reason: string) => context.notify({ type: 'waiting', attempt, ms, reason })
    const policies: Policy[] = [
      recorded(context.answers),
      ...(context.cache ? [cached(context.cache, () => cacheKey(attempt), cannotCache)] : []),
      ...(budgets.length > 0 ? [budgeted(budgets)] : []),
      retry(settings.retries ?? DEFAULT_RETRIES, host, waiting),
      rate(paceOf(attempt), waiting),
      timeout(timeoutOf(attempt, context), host),
      figures(settings.price, host),
    ]
    return policies.reduceRight((ask, policy) => policy(ask), providerAsk(attempt, context))
  }
}

function providerAsk({ target }: Attempt, { host, recordings }: PolicyContext): Ask {
  const { provider, config, home } = target
  return async (prompt, stop) => {
    if (!provider.answer) throw new Error(`nobody can ask ${provider.type}`)
    const context = {
      host,
      home,
      recordings: (from: string) => recordings(from, home),
      get signal() {
        return stop.signal
      },
    }
    return provider.answer(config, prompt, context)
  }
}

function timeoutOf({ test, suite, target }: Attempt, { timeout_seconds }: PolicyContext): number {
  return (
    test.execution.timeout_seconds ??
    suite.execution.timeout_seconds ??
    target.settings.timeout_seconds ??
    timeout_seconds ??
    DEFAULT_TIMEOUT_SECONDS
  )
}

/** The whole request, in which the test's id may stand, and the trial. The target is part of it, filled in. */
function cacheKey({ target, test, request_id, trial }: Attempt): string {
  const { name, provider, config, settings } = target
  return sha256(JSON.stringify([name, provider.type, config, settings.system_prompt, test.id, request_id, trial]))
}
