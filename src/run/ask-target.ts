import { sha256 } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recordings } from '../model/recordings.ts'
import type { Attempt, Target } from '../plan/attempt.ts'
import type { Ask, Policy } from './ask.ts'
import { type Budget, budgeted } from './policies/budget.ts'
import { type AnswerCache, cached, type KeyOf } from './policies/cache.ts'
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

/** How targets are asked: the provider, with the policies around it. */
export interface Asks {
  /** The target of an attempt, whose answer is kept. */
  target(attempt: Attempt): Ask
  /** A target that judges the answer of an attempt. */
  judge(attempt: Attempt, judge: Target): Ask
}

export function asksThroughPolicies(context: PolicyContext): Asks {
  const { host } = context
  const paces = new Map<string, Pace>()
  const paceOf = (target: Target) => {
    const endpoint = target.provider.endpoint?.(target.config) ?? `${target.at.file} ${target.name}`
    const pace = paces.get(endpoint) ?? new Pace(host)
    paces.set(endpoint, pace)
    return pace
  }
  let saysCache = false
  const around = (attempt: Attempt, target: Target, seconds: number, keyOf: KeyOf): Policy[] => {
    const budgets = context.budgetsOf(attempt)
    const cannotCache = ({ message }: Error) => {
      if (!saysCache) context.notify({ type: 'warning', attempt, message: `the cache cannot be written: ${message}` })
      saysCache = true
    }
    const waiting = (ms: number, reason: string) => context.notify({ type: 'waiting', attempt, ms, reason })
    return [
      ...(context.cache ? [cached(context.cache, keyOf, cannotCache)] : []),
      ...(budgets.length > 0 ? [budgeted(budgets)] : []),
      retry(target.settings.retries ?? DEFAULT_RETRIES, host, waiting),
      rate(paceOf(target), waiting),
      timeout(seconds, host),
      figures(target.settings.price, host),
    ]
  }
  const warned = new Set<string>()
  const ask = (attempt: Attempt, target: Target, policies: readonly Policy[]) => {
    const warn = (words: string) => {
      const message = `${target.name}: ${words}`
      if (!warned.has(message)) context.notify({ type: 'warning', attempt, message })
      warned.add(message)
    }
    return policies.reduceRight((ask, policy) => policy(ask), providerAsk(target, warn, context))
  }
  return {
    target: attempt => {
      const { target } = attempt
      const policies = around(attempt, target, timeoutOf(attempt, context), () => cacheKey(attempt))
      return ask(attempt, target, [recorded(context.answers), ...policies])
    },
    judge: (attempt, judge) => {
      const seconds = judge.settings.timeout_seconds ?? context.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS
      return ask(
        attempt,
        judge,
        around(attempt, judge, seconds, prompt => judgeKey(judge, prompt)),
      )
    },
  }
}

function providerAsk(target: Target, warn: (message: string) => void, { host, recordings }: PolicyContext): Ask {
  const { provider, config, home } = target
  return async (prompt, stop) => {
    if (!provider.answer) throw new Error(`nobody can ask ${provider.type}`)
    const context = {
      host,
      home,
      warn,
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

/** A judge's request: the same one gives the same reply, whichever test or trial it is for, unless the judge looks around. */
function judgeKey({ name, provider, config, settings }: Target, prompt: Prompt): string | undefined {
  const { messages, reply_schema, temperature, look } = prompt
  if (look) return undefined
  const target = [name, provider.type, config, settings.system_prompt]
  return sha256(JSON.stringify(['judge', target, messages, reply_schema, temperature]))
}
