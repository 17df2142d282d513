import { defined } from '../lib/defined.ts'
import type { Answer, OutputMessage } from '../model/answer.ts'
import type { ApiMessage } from '../model/api-messages.ts'
import { contentText } from '../model/content-text.ts'
import { NoAnswer } from '../model/no-answer.ts'
import { readMessages } from '../model/read-messages.ts'
import { loggedMessagesSchema } from '../model/written-answer.ts'
import type { TurnRun } from './log.ts'
import { readCall } from './read-call.ts'

/** What a target answered in a turn of a run: from the messages of the run where they are there, else from the log alone. */
export function loggedAnswer(turn: TurnRun, said: readonly ApiMessage[] | undefined): Answer | undefined {
  const output_messages = (said && transcriptOf(said)) ?? calledTools(turn)
  const text = turn.output ?? lastWords(output_messages)
  if (text === undefined) return undefined
  const { cost, duration_ms } = turn.meta
  return { text, ...defined({ output_messages, cost_usd: cost, duration_ms }) }
}

function transcriptOf(said: readonly ApiMessage[]): OutputMessage[] | undefined {
  const messages = loggedMessagesSchema.safeParse(said)
  if (!messages.success) return undefined
  try {
    return readMessages(messages.data, 'messages')
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return undefined
  }
}

/** The transcript as far as a log tells it: which tools were called. */
function calledTools({ tools_called, output }: TurnRun): OutputMessage[] | undefined {
  if (!tools_called) return undefined
  const answer = { role: 'assistant', content: output ?? '' }
  const calls = tools_called.map(readCall)
  return calls.length > 0 ? [{ role: 'assistant', tool_calls: calls }, answer] : [answer]
}

function lastWords(messages: readonly OutputMessage[] | undefined): string | undefined {
  const last = messages?.findLast(({ role, content }) => role === 'assistant' && content !== undefined)
  return last && contentText(last.content)
}
