import { isMapping, withoutNullish } from '../../../lib/objects.ts'
import type { TokenUsage } from '../../../model/answer.ts'
import { type Event, numberField } from './agent-events.ts'

const FINISH_REASONS = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'content-filter'],
])

/** Ends at a limit set by the user, as `subtype` or `terminal_reason`. The transcript so far is the answer. */
const LIMITS = new Map<unknown, string>([
  ['error_max_turns', 'max_turns'],
  ['max_turns', 'max_turns'],
  ['error_max_budget_usd', 'max_budget'],
  ['budget_exhausted', 'max_budget'],
])

/** Facts of a result that have no place in an answer. They are kept as an event. */
const FACTS = ['result_index', 'num_turns', 'terminal_reason', 'subagent_stats', 'safety_stops', 'permission_denials']

/** The `result` events of one process: one per start of the agent. */
export class ClaudeResults {
  readonly #all: Event[] = []
  /** The usage of each message of the model, for a session that is stopped before its first result. */
  readonly #messages = new Map<unknown, Event>()

  /** Adds the usage of a message, which each of its events repeats. */
  addMessage(id: string | undefined, usage: unknown): void {
    if (isMapping(usage)) this.#messages.set(id ?? usage, usage)
  }

  add(result: Event): void {
    this.#all.push(result)
  }

  get count(): number {
    return this.#all.length
  }

  get last(): Event | undefined {
    return this.#all.at(-1)
  }

  /** The last result with an error. An answer after an error is not the answer of an undisturbed agent. */
  get failed(): Event | undefined {
    return this.#all.findLast(isFailed)
  }

  /** A limit that any result has reached. */
  get limit(): string | undefined {
    return this.#all.map(limitOf).findLast(limit => limit !== undefined)
  }

  get finish_reason(): string | undefined {
    const { stop_reason, terminal_reason } = this.last ?? {}
    if (this.limit !== undefined) return this.limit
    if (typeof terminal_reason === 'string' && terminal_reason !== 'completed') return terminal_reason
    return typeof stop_reason === 'string' ? (FINISH_REASONS.get(stop_reason) ?? stop_reason) : undefined
  }

  /** The cost of the session so far: the last one is complete. */
  get cost_usd(): number | undefined {
    return this.#all.map(result => numberField(result, 'total_cost_usd')).findLast(cost => cost !== undefined)
  }

  /** The sum over all results: each has the duration of its own turns. */
  get duration_ms(): number | undefined {
    return sumOf(this.#all, 'duration_ms')
  }

  /** The tokens of the session including subagents or, if not reported, the sum over all results. */
  get token_usage(): TokenUsage | undefined {
    if (this.#modelUsage) return usageOf(this.#modelUsage, MODEL_KEYS)
    const usages =
      this.#all.length > 0 ? this.#all.map(({ usage }) => usage).filter(isMapping) : [...this.#messages.values()]
    return usages.length > 0 ? usageOf(usages.map(withThinking), RESULT_KEYS) : undefined
  }

  /** Facts for the record: turns, subagents, and how each result came about. */
  get events(): readonly Event[] {
    return this.#all.flatMap(result => {
      const facts = FACTS.filter(key => result[key] !== undefined).map(key => [key, result[key]])
      return facts.length > 0 ? [{ type: 'result', ...Object.fromEntries(facts) }] : []
    })
  }

  /** The usage of each model. Cumulative over the session: the last one is complete. */
  get #modelUsage(): readonly Event[] | undefined {
    return this.#all
      .map(({ modelUsage }) => (isMapping(modelUsage) ? Object.values(modelUsage).filter(isMapping) : []))
      .findLast(models => models.length > 0)
  }
}

function isFailed(result: Event): boolean {
  const { subtype = 'success', is_error, terminal_reason } = result
  if (terminal_reason === 'api_error' || numberField(result, 'api_error_status') !== undefined) return true
  return limitOf(result) === undefined && (is_error === true || subtype !== 'success')
}

function limitOf({ subtype, terminal_reason }: Event): string | undefined {
  return LIMITS.get(subtype) ?? LIMITS.get(terminal_reason)
}

type UsageKeys = Readonly<Record<'input' | 'output' | 'cached' | 'written' | 'reasoning', string>>

const MODEL_KEYS: UsageKeys = {
  input: 'inputTokens',
  output: 'outputTokens',
  cached: 'cacheReadInputTokens',
  written: 'cacheCreationInputTokens',
  reasoning: 'thinkingTokens',
}

const RESULT_KEYS: UsageKeys = {
  input: 'input_tokens',
  output: 'output_tokens',
  cached: 'cache_read_input_tokens',
  written: 'cache_creation_input_tokens',
  reasoning: 'thinking_tokens',
}

function withThinking(usage: Event): Event {
  const { output_tokens_details: details } = usage
  return isMapping(details) ? { ...usage, thinking_tokens: details['thinking_tokens'] } : usage
}

/** Sums token counts. Tokens read from or written to a cache are input. */
function usageOf(usages: readonly Event[], keys: UsageKeys): TokenUsage {
  const [fresh, cached, written] = [keys.input, keys.cached, keys.written].map(key => sumOf(usages, key))
  const isKnown = fresh !== undefined && ![keys.cached, keys.written].some(key => isWrong(usages, key))
  return withoutNullish({
    input: isKnown ? fresh + (cached ?? 0) + (written ?? 0) : undefined,
    output: sumOf(usages, keys.output),
    cached,
    reasoning: sumOf(usages, keys.reasoning),
  })
}

/** Sums a field; undefined if no event has it, or one has another value than a number. A negative part is the sum, to be rejected. */
function sumOf(events: readonly Event[], key: string): number | undefined {
  const numbers = events.flatMap(event => numberField(event, key) ?? [])
  if (numbers.length === 0 || isWrong(events, key)) return undefined
  return numbers.find(number => number < 0) ?? numbers.reduce((sum, number) => sum + number, 0)
}

function isWrong(events: readonly Event[], key: string): boolean {
  return events.some(event => event[key] != null && typeof event[key] !== 'number')
}
