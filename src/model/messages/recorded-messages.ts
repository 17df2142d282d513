import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping } from '../../lib/objects.ts'
import { shortHash } from '../../lib/sha256.ts'
import { type Block, looksLikeMessages, type Message } from '../message.ts'

/** Messages in the form of records: a single text as a string, files by path and content hash. */
export function recordedMessages(messages: readonly Message[], hashes: ReadonlyMap<string, string>): object[] {
  return messages.map(message => {
    const { content } = message
    if (!content) return message
    const [only] = content
    if (content.length === 1 && only?.type === 'text') return { ...message, content: only.value }
    return { ...message, content: content.map(block => recordedBlock(block, hashes)) }
  })
}

/** An expected output in the form of records. */
export function recordedExpectation(expected: unknown, hashes: ReadonlyMap<string, string>): unknown {
  return looksLikeMessages(expected) ? recordedMessages(expected, hashes) : expected
}

/** The last text of the user in recorded messages. */
export function lastUserText(recorded: readonly unknown[]): string {
  const texts = recorded.map(message =>
    isMapping(message) && message['role'] === 'user' ? textIn(message['content']) : '',
  )
  return texts.findLast(text => text.trim() !== '') ?? ''
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = Array.isArray(content) ? content.filter(isMapping) : []
  return blocks.flatMap(({ type, value }) => (type === 'text' && typeof value === 'string' ? [value] : [])).join('\n\n')
}

/** A hash of recorded messages. */
export function requestId(recorded: readonly unknown[]): string {
  const [only] = recorded
  return shortHash((recorded.length === 1 && textJson(only)) || canonicalJson(recorded))
}

/** The canonical JSON of a message that has only a role and a text, as most do; undefined for any other. */
function textJson(message: unknown): string | undefined {
  if (!isMapping(message) || Object.keys(message).length !== 2) return undefined
  const { role, content } = message
  if (typeof role !== 'string' || typeof content !== 'string') return undefined
  return `[{"content":${JSON.stringify(content)},"role":${JSON.stringify(role)}}]`
}

function recordedBlock({ path, ...block }: Block, hashes: ReadonlyMap<string, string>): object {
  return path === undefined ? block : { ...block, sha256: hashes.get(path) }
}
