import { parseJson } from '../lib/json/parse-json.ts'
import { sha256 } from '../lib/sha256.ts'
import { totalTokens } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import { looksLikeMessages } from '../model/message.ts'
import { type ApiMessage, answerMessages, inputMessages } from '../model/messages/api-messages.ts'
import { contentText } from '../model/messages/content-text.ts'
import { isOwn } from '../model/messages/subagents.ts'
import type { Result } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import { callText } from './tool-call-text.ts'

/** Tokens, cost and duration of a run or turn; null if unknown. */
export interface Usage {
  readonly tokens: number | null
  readonly cost: number | null
  readonly duration_ms: number | null
}

/** A turn of a run. */
export interface LoggedTurn extends Usage {
  readonly input: string
  readonly output: string
  /** Calls as Python code. */
  readonly tools_called: readonly string[]
  /** The expectation of the test; one in the log takes precedence. */
  readonly expected: string
  /** `pass`, `fail: why`, `error: why`; empty if not judged. */
  readonly evaluation: string
}

/** One run of a conversation, ready to be written. */
export interface LoggedRun extends Usage {
  /** Identifies the recorded attempt; undefined for a conversation without records. */
  readonly attempt?: string | undefined
  readonly system_prompt: string
  readonly model: string
  readonly cwd: string
  /** Local, `2025-12-25 11:56:26`. */
  readonly timestamp: string
  readonly turns: readonly LoggedTurn[]
  readonly messages: readonly ApiMessage[]
}

/** A conversation, of which only the inputs count. */
export interface ConversationInputs {
  readonly turns: readonly Pick<LoggedTurn, 'input'>[]
}

/** Returns the inputs, which identify a conversation. */
export function inputsOf({ turns }: ConversationInputs): readonly string[] {
  return turns.map(({ input }) => input)
}

interface Surroundings {
  readonly host: Host
  readonly cwd: string
  /** The targets of the run as they are written. */
  readonly targets: RunInfo['targets']
  /** End of the last turn; undefined if only its start is known. */
  readonly ended?: string | undefined
}

/**
 * Creates the log entry of a conversation from the results of its turns, each of which includes the messages before it.
 * Earlier turns without a result are part of the test's input.
 */
export function loggedRunFrom(
  results: readonly [...Result[], Result],
  { host, cwd, targets, ended }: Surroundings,
): LoggedRun {
  const last = results.at(-1) as Result
  const target = targets.find(({ name }) => name === last.target)
  const input = withSystem(inputMessages(last.input), textField(target, 'system_prompt') ?? '')
  const answer = last.answer === null ? [] : answerMessages(answerOf(last), input)
  const turns = turnsOf([...input, ...answer], input.filter(({ role }) => role === 'user').length)
  return {
    attempt: attemptOf(last),
    system_prompt: input.find(({ role }) => role === 'system')?.content ?? '',
    model: last.model ?? textField(target, 'model') ?? last.target,
    cwd,
    ...sumOf(results),
    timestamp: host.clock.localTime(ended ?? last.timestamp),
    turns: turns.map((turn, index) => ({ ...turn, ...judgedTurn(results[results.length - turns.length + index]) })),
    messages: [...input, ...answer],
  }
}

/** Identifies a result, also in copies: shards and the merged run have the same results. */
function attemptOf({ run_id, attempt_id, timestamp }: Result): string | undefined {
  return run_id === '' ? undefined : sha256(JSON.stringify([attempt_id, timestamp]))
}

/** Adds the target's system message if the test has none. */
function withSystem(input: ApiMessage[], content: string): ApiMessage[] {
  const hasOne = content === '' || input.some(({ role }) => role === 'system')
  return hasOne ? input : [{ role: 'system', content }, ...input]
}

function answerOf({ answer, output_messages }: Result) {
  return { text: answer ?? '', output_messages }
}

/** Returns a field of a recorded target, unless it contains variables: these are not filled in. */
function textField(target: Readonly<Record<string, unknown>> | undefined, key: string): string | undefined {
  const value = target?.[key]
  return typeof value === 'string' && !value.includes('${{') ? value : undefined
}

/** Splits messages into turns at the user's messages. User messages in the answer start no turn. */
function turnsOf(messages: readonly ApiMessage[], count: number): Omit<LoggedTurn, keyof TurnJudgement>[] {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(0, count)
  const bounds = starts.length > 0 ? starts : [0]
  return bounds.map((start, index) => {
    const said = messages.slice(starts.length > 0 ? start + 1 : 0, bounds[index + 1])
    const output = said.findLast(message => message.role === 'assistant' && !message.tool_calls && isOwn(message))
    return {
      input: starts.length > 0 ? (messages[start]?.content ?? '') : '',
      output: output?.content ?? '',
      tools_called: said.flatMap(({ tool_calls = [], agent_id }) =>
        tool_calls.map(({ function: { name, arguments: args } }) => callText(name, parseJson(args) ?? args, agent_id)),
      ),
    }
  })
}

type TurnJudgement = Usage & Pick<LoggedTurn, 'expected' | 'evaluation'>

/** The judgement and usage of a turn; empty for a turn that is part of the test's input. */
function judgedTurn(result: Result | undefined): TurnJudgement {
  if (!result) return { expected: '', evaluation: '', tokens: null, cost: null, duration_ms: null }
  return { expected: expectedText(result.expected_output), evaluation: evaluationOf(result), ...figuresOf(result) }
}

function figuresOf({ token_usage, cost_usd, duration_ms }: Result): Usage {
  return {
    tokens: totalTokens(token_usage) ?? null,
    cost: cost_usd ?? null,
    duration_ms: duration_ms === undefined ? null : Math.round(duration_ms),
  }
}

function sumOf(results: readonly Result[]): Usage {
  const figures = results.map(figuresOf)
  const sum = (key: keyof Usage) =>
    figures.reduce<number | null>((sum, { [key]: value }) => (value === null ? sum : (sum ?? 0) + value), null)
  return { tokens: sum('tokens'), cost: sum('cost'), duration_ms: sum('duration_ms') }
}

/** The expected answer as text: of messages, the last one of the assistant. */
function expectedText(expected: unknown): string {
  if (expected === undefined) return ''
  if (!looksLikeMessages(expected)) return typeof expected === 'string' ? expected : JSON.stringify(expected)
  const last = expected.findLast(({ role }) => role === 'assistant')
  return last?.content === undefined ? '' : contentText(last.content)
}

/** `pass`, the misses, or the error. Empty for a result without checks. */
export function evaluationOf({ verdict, misses, error, evaluator_results }: Result): string {
  const [only, ...others] = evaluator_results
  if (error) return `error: ${(others.length === 0 && only?.error?.message) || error.message}`
  if (evaluator_results.length === 0) return ''
  return verdict === 'pass' || misses.length === 0 ? verdict : `${verdict}: ${misses.join('; ')}`
}
