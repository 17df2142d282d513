import { type Answer, NoAnswer, type OutputMessage } from '../../model/answer.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import type { JudgeInput } from '../../model/judge-protocol.ts'
import { looksLikeMessages, type Message } from '../../model/message.ts'
import { messagesData, renderPrompt } from '../../model/messages/prompt-text.ts'

type Messages = JudgeInput['input_messages']

/** Messages for a judge, with the text of their files. */
export async function judgeMessages(messages: readonly Message[], host: Host): Promise<Messages> {
  return (await readable(messagesData(messages, host))) as Messages
}

/** An expected output as messages; empty if undefined. */
export async function expectedMessages(expected: unknown, host: Host): Promise<Messages> {
  if (expected === undefined) return []
  return looksLikeMessages(expected) ? judgeMessages(expected, host) : [{ role: 'assistant', content: expected }]
}

/** The messages of an answer; an answer without a transcript is one assistant message. */
export function answerMessages({ text, output_messages = [] }: Answer): OutputMessage[] {
  return output_messages.length > 0 ? output_messages : [{ role: 'assistant', content: text }]
}

/** The messages of an answer as JSON, for judges and for checks of the transcript. */
export function transcriptText(answer: Answer): string {
  return JSON.stringify(answerMessages(answer), null, 2)
}

/** The prompt as text. */
export function questionText(messages: readonly Message[], host: Host, files: 'inlined' | 'apart'): Promise<string> {
  return readable(renderPrompt({ messages, system_prompt: undefined }, host, files))
}

/** Throws `Unjudged` if a file of the input is missing, because the agent has removed it. */
function readable<T>(text: Promise<T>): Promise<T> {
  return text.catch(error => {
    throw error instanceof NoAnswer ? new Unjudged('file-missing', error.message) : error
  })
}
