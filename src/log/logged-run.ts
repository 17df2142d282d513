import { parseJson } from '../lib/json/parse-json.ts'
import { sha256 } from '../lib/sha256.ts'
import { totalTokens } from '../model/answer.ts'
import type { Host } from '../model/host.ts'
import { looksLikeMessages } from '../model/message.ts'
import { type ApiMessage, answerMessages, inputMessages } from '../model/messages/api-messages.ts'
import { contentText } from '../model/messages/content-text.ts'
import type { Result } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import { callText } from './tool-call-text.ts'

/** What a run, or one turn of it, took; null where nobody has said. */
export interface Usage {
  readonly tokens: number | null
  readonly cost: number | null
  readonly duration_ms: number | null
}

/** What a user said, and what came of it. */
export interface LoggedTurn extends Usage {
  readonly input: string
  readonly output: string
  /** Each as Python would write it. */
  readonly tools_called: readonly string[]
  /** What the test expects; it gives way to what is written by hand. */
  readonly expected: string
  /** `pass`, `fail: why`, `error: why`; empty where nobody has judged. */
  readonly evaluation: string
}

/** One run of a conversation, ready to be written. */
export interface LoggedRun extends Usage {
  /** Identifies the recorded attempt that this is the log of; undefined for a conversation without records. */
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

/** What the user said in it: the same inputs in the same order are the same conversation. */
export function inputsOf({ turns }: ConversationInputs): readonly string[] {
  return turns.map(({ input }) => input)
}

interface Surroundings {
  readonly host: Host
  readonly cwd: string
  /** The targets of the run as they are written. */
  readonly targets: RunInfo['targets']
  /** When the last turn ended; undefined where only the time is known when it began. */
  readonly ended?: string | undefined
}

/**
 * A conversation from the records of its turns, of which each has all that was said before it.
 * Where only the last is given, what came before was not asked but written.
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

/** The same for one result in every run that has it: shards and the run that they are merged into have the same results. */
function attemptOf({ run_id, attempt_id, timestamp }: Result): string | undefined {
  return run_id === '' ? undefined : sha256(JSON.stringify([attempt_id, timestamp]))
}

/** The target's system message, where the test has none. */
function withSystem(input: ApiMessage[], content: string): ApiMessage[] {
  const hasOne = content === '' || input.some(({ role }) => role === 'system')
  return hasOne ? input : [{ role: 'system', content }, ...input]
}

function answerOf({ answer, output_messages }: Result) {
  return { text: answer ?? '', output_messages }
}

/** Variables are not filled in what was recorded. */
function textField(target: Readonly<Record<string, unknown>> | undefined, key: string): string | undefined {
  const value = target?.[key]
  return typeof value === 'string' && !value.includes('${{') ? value : undefined
}

/** What was said from each message of the user up to the next. What a target says in a user's name begins no turn. */
function turnsOf(messages: readonly ApiMessage[], count: number): Omit<LoggedTurn, keyof TurnJudgement>[] {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(0, count)
  const bounds = starts.length > 0 ? starts : [0]
  return bounds.map((start, index) => {
    const said = messages.slice(starts.length > 0 ? start + 1 : 0, bounds[index + 1])
    const output = said.findLast(({ role, tool_calls }) => role === 'assistant' && !tool_calls)
    return {
      input: starts.length > 0 ? (messages[start]?.content ?? '') : '',
      output: output?.content ?? '',
      tools_called: said.flatMap(({ tool_calls = [] }) =>
        tool_calls.map(({ function: { name, arguments: args } }) => callText(name, parseJson(args) ?? args)),
      ),
    }
  })
}

type TurnJudgement = Usage & Pick<LoggedTurn, 'expected' | 'evaluation'>

/** What is known of a turn that was asked; of one that was only written, nothing is. */
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

/** A good answer as text: of messages the last words of the assistant. */
function expectedText(expected: unknown): string {
  if (expected === undefined) return ''
  if (!looksLikeMessages(expected)) return typeof expected === 'string' ? expected : JSON.stringify(expected)
  const last = expected.findLast(({ role }) => role === 'assistant')
  return last?.content === undefined ? '' : contentText(last.content)
}

/** `pass`, or what was missed, or why nobody knows. A result without checks was not judged. */
export function evaluationOf({ verdict, misses, error, evaluator_results }: Result): string {
  const [only, ...others] = evaluator_results
  if (error) return `error: ${(others.length === 0 && only?.error?.message) || error.message}`
  if (evaluator_results.length === 0) return ''
  return verdict === 'pass' || misses.length === 0 ? verdict : `${verdict}: ${misses.join('; ')}`
}
