import { isMapping } from '../lib/objects.ts'

type Fields = Readonly<Record<string, unknown>>

/** Names that other APIs have for roles. */
const ROLES: Readonly<Record<string, string>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  model: 'assistant',
  ai: 'assistant',
  tool: 'tool',
}

/** Whether a value looks like messages of a chat, in the form of any API. */
export function looksLikeChat(value: unknown): value is readonly Fields[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      item =>
        isMapping(item) &&
        typeof item['role'] === 'string' &&
        ('content' in item || 'parts' in item || 'tool_calls' in item),
    )
  )
}

type FilePath = (file: string) => string

/** Messages of a chat as tests have them; undefined if one has content that tests cannot have. */
export function convertChat(messages: readonly Fields[], filePath: FilePath = same): Fields[] | undefined {
  const converted = messages.map(message => convertMessage(message, filePath))
  return converted.includes(undefined) ? undefined : (converted as Fields[])
}

function same(file: string): string {
  return file
}

function convertMessage(message: Fields, filePath: FilePath): Fields | undefined {
  const { role, content, parts, tool_calls, tool_call_id, name } = message
  const known = ROLES[String(role)]
  const inner = convertContent(content ?? parts ?? (tool_calls ? undefined : ''), filePath)
  if (known === undefined || (inner === undefined && !tool_calls)) return undefined
  const isTool = known === 'tool'
  return {
    role: known,
    ...(inner === undefined ? {} : { content: inner }),
    ...(known === 'assistant' && Array.isArray(tool_calls) ? { tool_calls } : {}),
    ...(isTool
      ? { tool_call_id: String(tool_call_id ?? name ?? 'call'), ...(typeof name === 'string' ? { name } : {}) }
      : {}),
  }
}

function convertContent(content: unknown, filePath: FilePath): unknown {
  if (typeof content === 'string') return content
  if (typeof content === 'number' || typeof content === 'boolean') return String(content)
  if (isMapping(content)) return [{ type: 'json', value: content }]
  if (!Array.isArray(content)) return undefined
  const blocks = content.map(block => convertBlock(block, filePath))
  return blocks.includes(undefined) ? undefined : blocks
}

function convertBlock(block: unknown, filePath: FilePath): Fields | undefined {
  if (typeof block === 'string') return { type: 'text', value: block }
  if (!isMapping(block)) return undefined
  const { type, value, text } = block
  if (type === 'file' && typeof value === 'string') return { type, value: filePath(value) }
  if (['text', 'image', 'json'].includes(String(type)) && value !== undefined) return { type, value }
  if (/^(?:in|out)put_text$/.test(String(type)) && typeof value === 'string') return { type: 'text', value }
  if (typeof text === 'string') return { type: 'text', value: text }
  const url = imageUrl(block)
  return url === undefined ? undefined : { type: 'image', value: url }
}

/** The image of a block, if it is in the file. */
function imageUrl({ image_url, image, source }: Fields): string | undefined {
  const found = isMapping(image_url) ? image_url['url'] : (image_url ?? image)
  if (typeof found === 'string') return found.startsWith('data:image/') ? found : undefined
  if (!isMapping(source) || typeof source['data'] !== 'string') return undefined
  return `data:${String(source['media_type'] ?? 'image/png')};base64,${source['data']}`
}
