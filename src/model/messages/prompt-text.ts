import { withFields } from '../../lib/objects.ts'
import { decodeUtf8 } from '../../lib/text/unicode.ts'
import { NoAnswer } from '../answer.ts'
import type { Host } from '../host.ts'
import { type Block, filePathsIn, type Message } from '../message.ts'
import type { Prompt } from '../prompt.ts'

/** A prompt as text: a single user message unchanged, several messages with their roles. `files`: inlined, or passed separately. */
export async function renderPrompt(
  { messages, system_prompt }: Pick<Prompt, 'messages' | 'system_prompt'>,
  host: Host,
  files: 'inlined' | 'apart',
): Promise<string> {
  const [only, ...others] = messages
  if (only?.role === 'user' && others.length === 0 && system_prompt === undefined) {
    return renderMessage(only, host, files)
  }
  const system = system_prompt === undefined ? [] : [`# system\n${system_prompt}`]
  const rest = await Promise.all(
    messages.map(async message => `# ${message.role}\n${await renderMessage(message, host, files)}`),
  )
  return [...system, ...rest].join('\n\n')
}

/** A prompt as data: blocks as in a suite, files with absolute path and text. */
export async function promptData(prompt: Prompt, host: Host) {
  const { system_prompt, test_id, trial } = prompt
  const messages = await messagesData(prompt.messages, host)
  return {
    messages,
    ...(system_prompt === undefined ? {} : { system_prompt }),
    files: filePathsIn(prompt.messages),
    test_id,
    trial,
  }
}

export async function messagesData(messages: readonly Message[], host: Host): Promise<object[]> {
  return Promise.all(
    messages.map(async ({ content, ...message }) => {
      if (!content) return message
      const [only, ...others] = content
      if (only?.type === 'text' && others.length === 0) return withFields(message, { content: only.value })
      return { ...message, content: await Promise.all(content.map(block => blockData(block, host))) }
    }),
  )
}

/** A message as text: blocks separated by blank lines, tool calls as JSON. */
export async function renderMessage(message: Message, host: Host, files: 'inlined' | 'apart'): Promise<string> {
  const only = message.content?.length === 1 ? message.content[0] : undefined
  // The usual message needs no promises.
  if (only?.type === 'text' && !('tool_calls' in message)) return only.value
  const calls = 'tool_calls' in message && message.tool_calls ? [JSON.stringify(message.tool_calls, null, 2)] : []
  const parts = await Promise.all((message.content ?? []).map(block => blockText(block, host, files)))
  return [...parts.flat(), ...calls].join('\n\n')
}

async function blockText(block: Block, host: Host, files: 'inlined' | 'apart'): Promise<string[]> {
  if (block.type === 'text') return [block.value]
  if (block.type === 'json') return [JSON.stringify(block.value, null, 2)]
  if (files === 'apart' || block.path === undefined) return []
  const text = block.type === 'file' ? await fileText(block.path, host) : undefined
  return [text === undefined ? `<file path="${block.path}" />` : `<file path="${block.path}">\n${text}\n</file>`]
}

async function blockData({ path, ...block }: Block, host: Host): Promise<object> {
  if (path === undefined) return block
  const text = block.type === 'file' ? await fileText(path, host) : undefined
  return { ...block, value: path, ...(text === undefined ? {} : { text }) }
}

/** The text of a file; undefined for a binary file. */
async function fileText(path: string, host: Host): Promise<string | undefined> {
  const bytes = await host.files.read(path).catch((error: Error) => {
    throw new NoAnswer('bad-prompt', `a file of the input cannot be read: ${error.message}`)
  })
  const decoded = decodeUtf8(bytes)
  return 'invalidAt' in decoded ? undefined : decoded.text
}
