import { withoutNullish } from '../lib/objects.ts'
import { redactApiKeys } from '../lib/redaction/api-keys.ts'
import { shortHash } from '../lib/sha256.ts'
import { type Answer, NoAnswer, type OutputMessage } from '../model/answer.ts'
import type { ApiMessage } from '../model/messages/api-messages.ts'
import { contentText } from '../model/messages/content-text.ts'
import { readMessages } from '../model/messages/read-messages.ts'
import { isOwn, lastOwnMessage } from '../model/messages/subagents.ts'
import { loggedMessagesSchema } from '../model/messages/written-answer.ts'
import type { Log, TurnRun } from './log.ts'
import { slugOf } from './log-names.ts'
import { readCall } from './tool-call-text.ts'

/** Returns the answer of a turn: from the messages of its run file, else from the log. */
export function loggedAnswer(turn: TurnRun, said: readonly ApiMessage[] | undefined): Answer | undefined {
  const output_messages = (said && transcriptOf(said)) ?? calledTools(turn)
  const text = turn.output ?? lastWords(output_messages)
  if (text === undefined) return undefined
  const { cost, duration_ms } = turn.meta
  return { text, ...withoutNullish({ output_messages, cost_usd: cost, duration_ms }) }
}

function transcriptOf(said: readonly ApiMessage[]): OutputMessage[] | undefined {
  const messages = loggedMessagesSchema().safeParse(said)
  if (!messages.success) return undefined
  try {
    return readMessages(messages.data, 'messages')
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return undefined
  }
}

/** Builds a transcript from the tool calls in a log: one message for consecutive calls of an agent. */
function calledTools({ tools_called, output }: TurnRun): OutputMessage[] | undefined {
  if (!tools_called) return undefined
  const answer = { role: 'assistant', content: output ?? '' }
  const messages: OutputMessage[] = []
  for (const { agent_id, ...call } of tools_called.map(readCall)) {
    const last = messages.at(-1)
    if (last && last.agent_id === agent_id) last.tool_calls?.push(call)
    else messages.push({ role: 'assistant', tool_calls: [call], ...(agent_id === undefined ? {} : { agent_id }) })
  }
  return [...messages, answer]
}

function lastWords(messages: readonly OutputMessage[] | undefined): string | undefined {
  const last = messages && lastOwnMessage(messages)
  return last && contentText(last.content)
}

/** The messages of a run before and after a user's message. */
export interface TurnMessages {
  /** Includes the user's message. */
  readonly before: readonly ApiMessage[]
  /** Up to the next user's message. */
  readonly after: readonly ApiMessage[]
}

/** Splits messages into turns; undefined if their number differs. */
export function turnMessages(messages: readonly ApiMessage[], turns: number): TurnMessages[] | undefined {
  const starts = messages.flatMap((message, index) => (message.role === 'user' && isOwn(message) ? [index] : []))
  if (starts.length !== turns) return undefined
  return starts.map((start, index) => ({
    before: messages.slice(0, start + 1),
    after: messages.slice(start + 1, starts[index + 1]),
  }))
}

/** Returns the id of the test for a turn. */
export function turnId(log: Log, index: number): string {
  return log.turns.length > 1 ? `${suiteName(log)}-${index + 1}` : suiteName(log)
}

/** Returns the name of a log in a suite. A name that contains an API key is replaced. */
export function suiteName({ name, turns }: Log): string {
  const input = turns[0]?.input ?? ''
  const cleaned = redactApiKeys(input)
  return cleaned === input ? name : `${slugOf(cleaned)}_${shortHash(name)}`
}
