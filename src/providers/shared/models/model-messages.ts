import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3TextPart } from '@ai-sdk/provider'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Block, Message } from '../../../model/message.ts'
import { renderMessage } from '../../../model/messages/prompt-text.ts'
import type { Prompt } from '../../../model/prompt.ts'
import { toImagePart } from './image-part.ts'

type MessageOf<Role extends string> = Extract<LanguageModelV3Message, { role: Role }>

/** Converts a prompt to the messages of the SDK. Throws `NoAnswer` if no service would accept it. */
export async function toModelMessages(
  { messages, system_prompt }: Prompt,
  host: Host,
): Promise<LanguageModelV3Message[]> {
  const system: LanguageModelV3Message[] =
    system_prompt === undefined ? [] : [{ role: 'system', content: system_prompt }]
  const tools = toolNames(messages)
  const converted = await Promise.all(messages.map(message => toModelMessage(message, tools, host)))
  if (tools.size > 0) requireResults(converted)
  return [...system, ...withJoinedResults(converted)]
}

/** Throws `NoAnswer` if a tool call has no result before the next message of the user or the system. */
function requireResults(messages: readonly LanguageModelV3Message[]): void {
  const open = new Set<string>()
  for (const { role, content } of [...messages, { role: 'user' as const, content: [] }]) {
    if ((role === 'user' || role === 'system') && open.size > 0) {
      const calls = [...open].join(', ')
      throw new NoAnswer('bad-prompt', `cannot send this prompt to the model: no result of the tool calls ${calls}`)
    }
    for (const part of role === 'assistant' || role === 'tool' ? content : []) {
      if (part.type === 'tool-call') open.add(part.toolCallId)
      if (part.type === 'tool-result') open.delete(part.toolCallId)
    }
  }
}

/** Services expect the results of several calls in one message. */
function withJoinedResults(messages: readonly LanguageModelV3Message[]): LanguageModelV3Message[] {
  const joined: LanguageModelV3Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(...message.content)
    else joined.push(message)
  }
  return joined
}

async function toModelMessage(
  message: Message,
  tools: ReadonlyMap<string, string>,
  host: Host,
): Promise<LanguageModelV3Message> {
  if (message.role !== 'user' && message.content?.some(({ type }) => type === 'image')) {
    throw new NoAnswer(
      'bad-prompt',
      `images are supported in user messages only, and this prompt has one in a message with role \`${message.role}\``,
    )
  }
  switch (message.role) {
    case 'system':
      return { role: 'system', content: await renderMessage(message, host, 'inlined') }
    case 'user':
      return { role: 'user', content: await toUserContent(message.content, host) }
    case 'assistant':
      return { role: 'assistant', content: await toAssistantContent(message, host) }
    case 'tool': {
      const { tool_call_id: toolCallId, name } = message
      const toolName = name ?? tools.get(toolCallId) ?? 'tool'
      const value = await renderMessage(message, host, 'inlined')
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
      }
    }
  }
}

/** A single text, which may be empty; otherwise parts, in which everything but images is text. */
async function toUserContent(blocks: readonly Block[], host: Host): Promise<MessageOf<'user'>['content']> {
  const [only, ...others] = blocks
  if (only?.type === 'text' && others.length === 0) return [{ type: 'text', text: only.value }]
  const parts = blocks.map(
    async (block): Promise<LanguageModelV3TextPart | LanguageModelV3FilePart> =>
      block.type === 'image'
        ? toImagePart(block, host)
        : { type: 'text', text: await renderMessage({ role: 'user', content: [block] }, host, 'inlined') },
  )
  return (await Promise.all(parts)).filter(part => part.type !== 'text' || part.text !== '')
}

type AssistantMessage = Extract<Message, { role: 'assistant' }>

async function toAssistantContent(message: AssistantMessage, host: Host): Promise<MessageOf<'assistant'>['content']> {
  const { tool_calls = [], ...rest } = message
  const text = await renderMessage(rest, host, 'inlined')
  if (tool_calls.length === 0) return [{ type: 'text', text }]
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...tool_calls.map(({ id, function: called }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: called.name,
      input: parseJson(called.arguments) ?? {},
    })),
  ]
}

/** Tool names by the id of the call. */
function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name)
  }
  return names
}
