import { dirname } from 'node:path'
import { sha256 } from '../lib/sha256.ts'
import type { Attempt, RunEvent } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Mocks } from '../model/mock.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recordings } from '../model/recordings.ts'
import type { Target } from '../model/target.ts'
import { workspaceOf } from '../model/workspace.ts'
import type { Ask, Policy } from './ask.ts'
import { callNumbers } from './ask-judge.ts'
import { embedMessages } from './embed-messages.ts'
import { type AnswerStore, useAnswerStore } from './policies/answer-store.ts'
import { type Budget, enforceBudgets } from './policies/budget.ts'
import { type AnswerCache, type KeyOf, useCache } from './policies/cache.ts'
import { EndpointLimiter, limitConcurrency } from './policies/endpoint-limiter.ts'
import { useMocks } from './policies/mocks.ts'
import { limitRequests, ProcessRequestLimits, type RequestLimits } from './policies/request-limits.ts'
import { DEFAULT_RETRIES, retry } from './policies/retry.ts'
import { timeout } from './policies/timeout.ts'
import { measureUsage } from './policies/usage.ts'
import { useTemporaryWorkspace, useWorkspace } from './policies/workspace.ts'
import { attemptSteps, targetSteps, WorkspaceCommands, type WorkspaceSteps } from './workspace-commands.ts'
import { Workspaces } from './workspaces.ts'

const DEFAULT_TIMEOUT_SECONDS = 300

export interface PolicyContext {
  readonly host: Host
  readonly answers: AnswerStore
  readonly cache: AnswerCache | undefined
  /** Timeout if neither the test, nor its suite, nor the target sets one. */
  readonly timeout_seconds?: number | undefined
  /** Limits requests; default: within this process. */
  readonly requests?: RequestLimits | undefined
  budgetsOf(attempt: Attempt): readonly Budget[]
  /** Returns the answers of an earlier run; `folder` resolves a relative path. */
  recordings(from: string, folder: string): Promise<Recordings>
  notify(event: RunEvent): void
}

/** Creates functions that send prompts to targets, with all policies applied. */
export interface AskFactory {
  /** Asks the target of an attempt and stores the answer. */
  target(attempt: Attempt): Ask
  /** Asks a judge of an attempt. */
  judge(attempt: Attempt, judge: Target): Ask
  /** Runs the teardown of an attempt, whose answer is graded or given up. */
  end(attempt: Attempt): Promise<void> | undefined
  /** Runs the teardown of all attempts that were asked, but not graded. */
  endAll(): Promise<void>
}

export function createAskFactory(context: PolicyContext): AskFactory {
  return new PolicyAskFactory(context)
}

interface AskOptions {
  readonly attempt: Attempt
  readonly target: Target
  readonly timeout_seconds: number
  readonly keyOf: KeyOf
  /** Whether failures are cached: those of agents are, those of judges are not. */
  readonly keepsFailures: boolean
  /** The workspace policy, if the target needs a workspace. */
  inWorkspace(folder: string): Policy
  /** The mocked servers of the test; undefined for judges. */
  readonly mocks?: Mocks | undefined
}

class PolicyAskFactory implements AskFactory {
  readonly #context: PolicyContext
  readonly #paces = new Map<string, EndpointLimiter>()
  readonly #workspaces: Workspaces
  readonly #requests: RequestLimits
  readonly #warned = new Set<string>()
  readonly #commands = new Map<Attempt, WorkspaceCommands>()

  constructor(context: PolicyContext) {
    this.#context = context
    this.#workspaces = new Workspaces(context.host)
    this.#requests = context.requests ?? new ProcessRequestLimits(context.host)
  }

  target(attempt: Attempt): Ask {
    const { target } = attempt
    const { cache, answers, host } = this.#context
    if (cache && !isCacheable(target))
      this.#warn(attempt, `answers of ${target.name} are not cached: they do not contain its changes to files`)
    const keyOf = () => (isCacheable(target) ? cacheKey(attempt) : undefined)
    const timeout_seconds = timeoutOf(attempt, this.#context)
    const policies = this.#around({
      attempt,
      target,
      timeout_seconds,
      keyOf,
      keepsFailures: true,
      inWorkspace: folder => {
        const commands = this.#commandsIn(attempt, attemptSteps(attempt))
        this.#commands.set(attempt, commands)
        return useWorkspace(folder, this.#workspaces, host, commands)
      },
      mocks: attempt.test.mocks,
    })
    return this.#ask(attempt, target, [useAnswerStore(answers, isImmediate(target), host), ...policies])
  }

  judge(attempt: Attempt, judge: Target): Ask {
    const timeout_seconds = judge.settings.timeout_seconds ?? this.#context.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS
    const keyOf = (prompt: Prompt) => (isCacheable(judge) ? judgeKey(attempt, judge, prompt) : undefined)
    const way = {
      attempt,
      target: judge,
      timeout_seconds,
      keyOf,
      keepsFailures: false,
      inWorkspace: (folder: string) => {
        const commands = this.#commandsIn(attempt, targetSteps(judge))
        return useTemporaryWorkspace(folder, this.#workspaces, this.#context.host, commands)
      },
    }
    return this.#ask(attempt, judge, this.#around(way))
  }

  end(attempt: Attempt): Promise<void> | undefined {
    const commands = this.#commands.get(attempt)
    this.#commands.delete(attempt)
    return commands?.teardown()
  }

  async endAll(): Promise<void> {
    for (const attempt of [...this.#commands.keys()]) await this.end(attempt)
  }

  #commandsIn(attempt: Attempt, steps: WorkspaceSteps): WorkspaceCommands {
    const warn = (message: string) => this.#context.notify({ type: 'warning', attempt, message })
    return new WorkspaceCommands(steps, this.#context.host, warn)
  }

  #around({ attempt, target, timeout_seconds, keyOf, keepsFailures, inWorkspace, mocks }: AskOptions): Policy[] {
    const { host, cache, notify } = this.#context
    const folder = workspaceOf(target)
    const isDelayed = !isImmediate(target)
    const budgets = target.provider.execution?.isPaid ? [] : this.#context.budgetsOf(attempt)
    const cannotCache = ({ message }: Error) => this.#warn(attempt, `cannot write the cache: ${message}`, 'cache')
    const waiting = (ms: number, reason: string) =>
      notify({ type: 'waiting', attempt, target: target.name, ms, reason })
    return [
      ...(cache
        ? [
            useCache(cache, {
              keyOf,
              timeout_seconds: keepsFailures ? timeout_seconds : undefined,
              problem: cannotCache,
            }),
          ]
        : []),
      ...(budgets.length > 0 ? [enforceBudgets(budgets)] : []),
      ...(isDelayed
        ? [
            retry(target.settings.retries ?? DEFAULT_RETRIES, host, waiting),
            limitConcurrency(this.#paceOf(target), waiting),
          ]
        : []),
      ...(folder === undefined ? [] : [inWorkspace(folder)]),
      // Inside of retries, each of which has a fresh state, and around the timeout: calls are read after the agent ended.
      ...(mocks ? [useMocks(mocks.servers, target, host)] : []),
      ...(this.#requests.concerns(target) ? [limitRequests(target, this.#requests, waiting)] : []),
      ...(isDelayed ? [timeout(timeout_seconds, host)] : []),
      measureUsage(target.settings.price, host),
    ]
  }

  #ask(attempt: Attempt, target: Target, policies: readonly Policy[]): Ask {
    const say = (words: string) => this.#warn(attempt, `${target.name}: ${words}`)
    return policies.reduceRight((ask, policy) => policy(ask), providerAsk(target, say, this.#context))
  }

  #paceOf(target: Target): EndpointLimiter {
    const endpoint = target.provider.service?.endpoint?.(target.config) ?? `${target.at.file} ${target.name}`
    const pace = this.#paces.get(endpoint) ?? new EndpointLimiter(this.#context.host)
    this.#paces.set(endpoint, pace)
    return pace
  }

  /** Warns once, however many attempts are concerned. */
  #warn(attempt: Attempt, message: string, what = message): void {
    if (!this.#warned.has(what)) this.#context.notify({ type: 'warning', attempt, message })
    this.#warned.add(what)
  }
}

function providerAsk(target: Target, warn: (message: string) => void, { host, recordings }: PolicyContext): Ask {
  const { provider, config, home } = target
  const recordingsOf = (from: string) => recordings(from, home)
  return async (prompt, { signal }) => {
    const context = { host, home, warn, recordings: recordingsOf, signal }
    return prompt.embeds ? embedMessages(target, prompt, context) : provider.answer(config, prompt, context)
  }
}

function isImmediate({ provider, config }: Target): boolean {
  return provider.execution?.isImmediate?.(config) ?? false
}

function isCacheable({ provider, config }: Target): boolean {
  return provider.execution?.isCacheable?.(config) ?? provider.files?.workspace?.(config) === undefined
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

/** Hash of the target with its variables and the content of its files, of the request, and of the trial. */
function cacheKey({ suite, target, target_hash, test, request_id, trial }: Attempt): string {
  const { name, provider, config, settings } = target
  // A program runs in the folder of its suite and may read its files.
  const folder = provider.files?.paths ? dirname(suite.file) : ''
  const identity = [name, provider.type, config, settings.system_prompt, target_hash, folder]
  return sha256(JSON.stringify([...identity, test.id, request_id, trial]))
}

/** Hash of a judge's request and the numbers of its vote and grading, the same in all tests and trials; undefined if the judge inspects files. */
function judgeKey({ judges_hash }: Attempt, judge: Target, prompt: Prompt): string | undefined {
  const { name, provider, config, settings } = judge
  const { messages, reply_schema, temperature, look } = prompt
  if (look) return undefined
  const target = [name, provider.type, config, settings.system_prompt, judges_hash]
  return sha256(JSON.stringify(['judge', target, messages, reply_schema, temperature, ...callNumbers(prompt)]))
}
