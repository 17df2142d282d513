import { type Answer, NoAnswer, type OutputMessage } from '../../model/answer.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import type { JudgeInput } from '../../model/judge-protocol.ts'
import { looksLikeMessages, type Message } from '../../model/message.ts'
import { messagesData, renderPrompt } from '../../model/messages/prompt-text.ts'

type Messages = JudgeInput['input_messages']

/** Messages as a judge gets them, with the text of their files. */
export async function judgeMessages(messages: readonly Message[], host: Host): Promise<Messages> {
  return (await readable(messagesData(messages, host))) as Messages
}

/** An expected output as messages; none where there is none. */
export async function expectedMessages(expected: unknown, host: Host): Promise<Messages> {
  if (expected === undefined) return []
  return looksLikeMessages(expected) ? judgeMessages(expected, host) : [{ role: 'assistant', content: expected }]
}

/** The messages of an answer; one that is text only is one message of the assistant. */
export function answerMessages({ text, output_messages = [] }: Answer): OutputMessage[] {
  return output_messages.length > 0 ? output_messages : [{ role: 'assistant', content: text }]
}

/** What was asked, as text. */
export function questionText(messages: readonly Message[], host: Host, files: 'inlined' | 'apart'): Promise<string> {
  return readable(renderPrompt({ messages, system_prompt: undefined }, host, files))
}

/** A file of the input that the agent has removed cannot be shown to a judge. */
function readable<T>(shown: Promise<T>): Promise<T> {
  return shown.catch(error => {
    throw error instanceof NoAnswer ? new Unjudged('file-missing', error.message) : error
  })
}
