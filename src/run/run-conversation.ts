import { sha256 } from '../lib/sha256.ts'
import type { Attempt } from '../model/attempt.ts'
import type { Check } from '../model/check.ts'
import type { Message } from '../model/message.ts'
import { type ApiMessage, answerMessages, inputMessages } from '../model/messages/api-messages.ts'
import { recordedMessages, requestId } from '../model/messages/recorded-messages.ts'
import type { Result } from '../model/result.ts'
import type { AskFactory } from './ask-target.ts'
import { type AttemptContext, runAttempt } from './run-attempt.ts'

/** The inputs of a user, in order, with the checks for each answer. */
export interface Conversation extends Pick<Attempt, 'suite' | 'target'> {
  readonly id: string
  /** The system message, if the target has none. */
  readonly system_prompt: string
  readonly turns: readonly { readonly input: string; readonly expected?: string; readonly checks: readonly Check[] }[]
}

/** Sends the turns one by one, each with the real conversation so far, and yields their results. Ends at the first turn without an answer. */
export async function* runConversation(
  { id, suite, target, system_prompt, turns }: Conversation,
  asks: AskFactory,
  context: AttemptContext,
): AsyncGenerator<Result> {
  const hasSystem = system_prompt !== '' && target.settings.system_prompt === undefined
  const messages: Message[] = hasSystem ? [textMessage('system', system_prompt)] : []
  for (const [index, { input, expected, checks }] of turns.entries()) {
    messages.push(textMessage('user', input))
    const recorded = recordedMessages(messages, NO_FILES)
    const test = {
      id,
      number: undefined,
      input: [...messages],
      expected_output: expected,
      checks,
      execution: {},
      metadata: {},
      tags: [],
      at: suite.at,
    }
    const request_id = requestId(recorded)
    const hash = sha256(`${id} ${index} ${request_id}`)
    const hashes = { request_id, test_hash: hash, checks_hash: '', target_hash: '', judges_hash: '' }
    const attempt = { id: hash, index, suite, test, target, trial: 1, occurrence: 1, ...hashes }
    const result = ungradedAsSuch(await runAttempt(attempt, asks, context))
    yield result
    if (result.answer === null) return
    const { answer: text, output_messages } = result
    const said = answerMessages({ text, output_messages }, inputMessages(recorded))
    for (const message of said.flatMap(messageOf)) messages.push(message)
  }
}

/** Removes the error of a turn without an expectation: it is logged, not graded. */
function ungradedAsSuch(result: Result): Result {
  return result.answer !== null && result.evaluator_results.length === 0 ? { ...result, error: undefined } : result
}

const NO_FILES: ReadonlyMap<string, string> = new Map()

function textMessage(role: 'system' | 'user', value: string): Message {
  return { role, content: [{ type: 'text', value }] }
}

/** Converts a message of the answer to one of the next prompt. Roles other than assistant and tool are dropped, and subagents too. */
function messageOf({ role, content, tool_calls, tool_call_id, agent_id }: ApiMessage): Message[] {
  if (agent_id !== undefined) return []
  const said = content === undefined ? undefined : [{ type: 'text' as const, value: content }]
  if (role === 'tool' && said && tool_call_id !== undefined) return [{ role, content: said, tool_call_id }]
  if (role !== 'assistant') return []
  return [{ role, ...(said ? { content: said } : {}), ...(tool_calls ? { tool_calls: [...tool_calls] } : {}) }]
}
