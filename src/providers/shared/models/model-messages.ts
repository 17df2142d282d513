import type { AssistantModelMessage, ImagePart, ModelMessage, UserModelMessage } from 'ai'
import { parseJson } from '../../../lib/json/parse-json.ts'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Block, Message } from '../../../model/message.ts'
import { renderMessage } from '../../../model/messages/prompt-text.ts'
import type { Prompt } from '../../../model/prompt.ts'

/** Converts a prompt to the messages of the SDK. */
export async function toModelMessages({ messages, system_prompt }: Prompt, host: Host): Promise<ModelMessage[]> {
  const system: ModelMessage[] = system_prompt === undefined ? [] : [{ role: 'system', content: system_prompt }]
  const tools = toolNames(messages)
  return [...system, ...(await Promise.all(messages.map(message => toModelMessage(message, tools, host))))]
}

async function toModelMessage(message: Message, tools: ReadonlyMap<string, string>, host: Host): Promise<ModelMessage> {
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

/** A single text as a string; otherwise parts, in which everything but images is text. */
async function toUserContent(blocks: readonly Block[], host: Host): Promise<UserModelMessage['content']> {
  const [only, ...others] = blocks
  if (only?.type === 'text' && others.length === 0) return only.value
  return Promise.all(
    blocks.map(async block =>
      block.type === 'image'
        ? toImagePart(block, host)
        : { type: 'text' as const, text: await renderMessage({ role: 'user', content: [block] }, host, 'inlined') },
    ),
  )
}

type AssistantMessage = Extract<Message, { role: 'assistant' }>

async function toAssistantContent(message: AssistantMessage, host: Host): Promise<AssistantModelMessage['content']> {
  const { tool_calls = [], ...rest } = message
  const text = await renderMessage(rest, host, 'inlined')
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

/** Tool names by the id of the call. */
function toolNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const { id, function: called } of message.tool_calls ?? []) names.set(id, called.name)
  }
  return names
}

/** Converts an image to its bytes, with the media type if that is known. */
async function toImagePart({ value, path }: Block & { type: 'image' }, host: Host): Promise<ImagePart> {
  if (path !== undefined) {
    const image = await host.files.read(path).catch((error: Error) => {
      throw new NoAnswer('bad-prompt', `cannot read an image of the input: ${error.message}`)
    })
    return {
      type: 'image',
      image,
      ...mediaType(MEDIA_TYPES.find(([ending]) => path.toLowerCase().endsWith(ending))?.[1]),
    }
  }
  const [, type, encoding = '', data] = /^data:([^;,]*)([^,]*),(.*)$/is.exec(value) ?? []
  if (data === undefined) return { type: 'image', image: parseBase64(value) }
  const isBase64 = /;base64$/i.test(encoding)
  const image = isBase64 ? parseBase64(decodePercents(data)) : new TextEncoder().encode(decodePercents(data))
  return { type: 'image', image, ...mediaType(type) }
}

function parseBase64(text: string): string {
  const data = text.replace(/\s+/g, '')
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data
  throw new NoAnswer('bad-prompt', 'an image of the input is not valid base64')
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const MEDIA_TYPES = [
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.bmp', 'image/bmp'],
  ['.svg', 'image/svg+xml'],
] as const

function mediaType(type: string | undefined): { mediaType?: string } {
  return type ? { mediaType: type } : {}
}
