import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import type { TokenUsage } from '../../../model/answer.ts'
import { type Event, numberField } from './agent-events.ts'

/** The `result` events of one process: one per start of the agent. */
export class ClaudeResults {
  readonly #all: Event[] = []

  add(result: Event): void {
    this.#all.push(result)
  }

  get count(): number {
    return this.#all.length
  }

  get last(): Event | undefined {
    return this.#all.at(-1)
  }

  /** The sum over all results: each has the duration of its own turns. */
  get duration_ms(): number | undefined {
    return sumOf(this.#all, 'duration_ms')
  }

  /** The tokens of the session including subagents or, if not reported, the sum over all results. */
  get token_usage(): TokenUsage | undefined {
    const byModel = Object.values(this.#modelUsage ?? {}).filter(isMapping)
    if (byModel.length > 0) return usageOf(byModel, MODEL_KEYS)
    const usages = this.#all.map(({ usage }) => usage).filter(isMapping)
    return usages.length > 0 ? usageOf(usages, RESULT_KEYS) : undefined
  }

  /** Cumulative over the session: the last one is complete. */
  get #modelUsage(): Event | undefined {
    return this.#all.map(({ modelUsage }) => modelUsage).findLast(isMapping)
  }
}

interface UsageKeys {
  readonly input: string
  readonly output: string
  readonly cached: string
  readonly written: string
}

const MODEL_KEYS: UsageKeys = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cacheReadInputTokens',
  written: 'cacheCreationInputTokens',
}

const RESULT_KEYS: UsageKeys = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_input_tokens',
  written: 'cache_creation_input_tokens',
}

/** Sums token counts. Tokens read from or written to a cache are input. */
function usageOf(usages: readonly Event[], keys: UsageKeys): TokenUsage {
  const input = sumOf(usages, keys.input)
  const cached = sumOf(usages, keys.cached)
  return withoutNullish({
    input: input === undefined ? undefined : input + (cached ?? 0) + (sumOf(usages, keys.written) ?? 0),
    output: sumOf(usages, keys.output),
    cached,
  })
}

/** Sums a field. Returns undefined if no event has it. */
function sumOf(events: readonly Event[], key: string): number | undefined {
  const numbers = events.map(event => numberField(event, key)).filter(number => number !== undefined)
  return numbers.length > 0 ? numbers.reduce((sum, number) => sum + number, 0) : undefined
}
