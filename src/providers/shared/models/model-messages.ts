import type { AssistantModelMessage, ModelMessage, UserModelMessage } from 'ai'
import { parseJson } from '../../../lib/parse-json.ts'
import type { Host } from '../../../model/host.ts'
import type { Block, Message } from '../../../model/message.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import type { Prompt } from '../../../model/prompt.ts'
import { messageText } from '../../../model/prompt-text.ts'
import { imagePart } from './image-part.ts'

/** A prompt as the messages that models take. */
export async function modelMessages({ messages, system_prompt }: Prompt, host: Host): Promise<ModelMessage[]> {
  const system: ModelMessage[] = system_prompt === undefined ? [] : [{ role: 'system', content: system_prompt }]
  const tools = toolNames(messages)
  return [...system, ...(await Promise.all(messages.map(message => modelMessage(message, tools, host))))]
}

async function modelMessage(message: Message, tools: ReadonlyMap<string, string>, host: Host): Promise<ModelMessage> {
  if (message.role !== 'user' && message.content?.some(({ type }) => type === 'image')) {
    throw new NoAnswer('bad-prompt', `models take images from the user only, not in a message of the ${message.role}`)
  }
  switch (message.role) {
    case 'system':
      return { role: 'system', content: await messageText(message, host, 'inlined') }
    case 'user':
      return { role: 'user', content: await userContent(message.content, host) }
    case 'assistant':
      return { role: 'assistant', content: await assistantContent(message, host) }
    case 'tool': {
      const { tool_call_id: toolCallId, name } = message
      const toolName = name ?? tools.get(toolCallId) ?? 'tool'
      const value = await messageText(message, host, 'inlined')
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }],
      }
    }
  }
}

/** A text alone as it is; else parts, in which images are images and all else is text. */
async function userContent(blocks: readonly Block[], host: Host): Promise<UserModelMessage['content']> {
  const [only, ...others] = blocks
  if (only?.type === 'text' && others.length === 0) return only.value
  return Promise.all(
    blocks.map(async block =>
      block.type === 'image'
        ? imagePart(block, host)
        : { type: 'text' as const, text: await messageText({ role: 'user', content: [block] }, host, 'inlined') },
    ),
  )
}

type Assistant = Extract<Message, { role: 'assistant' }>

async function assistantContent(message: Assistant, host: Host): Promise<AssistantModelMessage['content']> {
  const { tool_calls = [], ...rest } = message
  const text = await messageText(rest, host, 'inlined')
  if (tool_calls.length === 0) return text
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

/** The tools by the ids of their calls. */
function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name)
  }
  return names
}
