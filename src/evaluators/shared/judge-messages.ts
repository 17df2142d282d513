import { type Answer, NoAnswer, type OutputMessage } from '../../model/answer.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import type { JudgeInput } from '../../model/judge-protocol.ts'
import { looksLikeMessages, type Message } from '../../model/message.ts'
import { messagesData, renderPrompt } from '../../model/messages/prompt-text.ts'
import { isOwn } from '../../model/messages/subagents.ts'

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

/**
 * The messages of an answer as JSON, for judges and for checks of the transcript. Those of subagents are indented, and
 * begin with their `agent_id`.
 */
export function transcriptText(answer: Answer): string {
  const messages = answerMessages(answer)
  if (messages.every(isOwn)) return json(messages)
  const parts = messages.map(message => {
    const { agent_id, ...rest } = message
    return isOwn(message) ? indent(json(rest), 2) : indent(json({ agent_id, ...rest }), 6)
  })
  return `[\n${parts.join(',\n')}\n]`
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

function indent(text: string, spaces: number): string {
  return text.replace(/^/gm, ' '.repeat(spaces))
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
