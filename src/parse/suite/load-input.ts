import type { Block, Message, MessageCall } from '../../model/message.ts'
import { messagesSchema } from '../../spec/test.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import type { SuiteContext } from './load-context.ts'

/** Loads the messages of a test and finds their files. */
export function loadInput(
  input: string | Message[] | undefined,
  files: unknown,
  at: { readonly input: SourceNode; readonly files: SourceNode },
  context: SuiteContext,
): Message[] | undefined {
  if (input === undefined) return undefined
  const paths = Array.isArray(files) ? (files as string[]) : []
  const messages = expandInput(input, paths)
  if (typeof input === 'string') return findFiles(messages, (_, block) => at.files.child(block), context)
  return expandCallResults(findMessageFiles(messages, at.input, context))
}

/** Returns the input of a test that is invalid elsewhere. */
export function readableInput(input: unknown): string | Message[] | undefined {
  return typeof input === 'string' ? input : messagesSchema().safeParse(input).data
}

/** Expands a string `input` into a user message, with `input_files` as `file` blocks before the text. */
function expandInput(input: string | Message[], files: readonly string[] = []): Message[] {
  if (typeof input !== 'string') return input
  const text: Block = { type: 'text', value: input }
  // A list that grows has room for 16 more, which adds up in large suites.
  const content = files.length === 0 ? [text] : [...files.map((value): Block => ({ type: 'file', value })), text]
  return [{ role: 'user', content }]
}

/** Removes invalid `input_files` from the fields of a test, with a diagnostic. */
export function dropBadInputFiles(
  fields: Fields,
  at: SourceNode,
  { needsInput, diagnostics }: { readonly needsInput: boolean; readonly diagnostics: Diagnostics },
): Fields {
  if (fields['input_files'] === undefined) return fields
  const problem = inputFilesProblem(fields, needsInput)
  if (!problem) return fields
  const [message, hint] = problem
  diagnostics.add({ code: 'bad-input-files', at: at.child('input_files'), part: 'key', message, hint })
  const { input_files: _, ...rest } = fields
  // A missing `input` is already reported.
  return rest['input'] === undefined ? { ...rest, input: '' } : rest
}

const TO_BLOCKS = 'write each file as a block of the message: `- {type: file, value: PATH}`'

function inputFilesProblem(
  { input, input_files: files }: Fields,
  needsInput: boolean,
): readonly [string, string] | undefined {
  if (!isListOfPaths(files))
    return ['`input_files` must be a list of paths', 'write each path on its own line, after `- `']
  if (input === undefined && !needsInput) return undefined
  if (input === undefined)
    return ['`input_files` needs an `input`', 'describe in `input` what the agent should do with the files']
  if (Array.isArray(input)) return ['`input_files` cannot be used with a list of messages', TO_BLOCKS]
  if (input === '')
    return [
      '`input_files` needs an `input` that is not empty',
      'describe in `input` what the agent should do with the files',
    ]
  return undefined
}

function isListOfPaths(files: unknown): boolean {
  return Array.isArray(files) && files.length > 0 && files.every(file => typeof file === 'string' && file !== '')
}

/** Resolves the path of each `file` and `image` block; reports missing files. */
export function findMessageFiles(messages: Message[], at: SourceNode, context: SuiteContext): Message[] {
  return findFiles(messages, (message, block) => at.child(message, 'content', block, 'value'), context)
}

/** Blocks with a path are copied: by an alias, the value as written may be part of something else. */
function findFiles(
  messages: Message[],
  nodeOf: (message: number, block: number) => SourceNode,
  context: SuiteContext,
): Message[] {
  if (!messages.some(({ content }) => content?.some(hasPath))) return messages
  return messages.map((message, index) => {
    const content = message.content?.map((written, at) => {
      if (!hasPath(written)) return written
      const block = { ...written }
      context.pending.push(findBlockFile(block, nodeOf(index, at), context))
      return block
    })
    return content ? { ...message, content } : message
  })
}

function hasPath(block: Block): boolean {
  return block.type === 'file' || (block.type === 'image' && !isImageData(block.value))
}

async function findBlockFile(
  block: Block & { value: unknown },
  at: SourceNode,
  { files }: SuiteContext,
): Promise<void> {
  const written = String(block.value)
  const path = await files.resolve(written, at.file)
  if (await files.requireFile(path, { at, written })) block.path = path
}

/** Whether the value of an image block is the image itself: a `data:` URI, or base64 of a known image format. */
function isImageData(value: string): boolean {
  if (/^data:/i.test(value)) return true
  const start = value.slice(0, SAMPLE).replace(/\s+/g, '')
  if (!MAGIC.test(decodeBase64(start.slice(0, start.length - (start.length % 4))))) return false
  const text = value.replace(/\s+/g, '')
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
}

const SAMPLE = 256

/** First bytes of PNG, JPEG, GIF, WebP, BMP and SVG. */
const MAGIC = /^(\x89PNG\r\n|\xff\xd8\xff[\xc0-\xfe]|GIF8[79]a|RIFF[\s\S]{4}WEBP|BM[\s\S]{4}\0\0\0\0|<svg|<\?xml )/

function decodeBase64(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

/** Gives every tool call an id, and moves results written with a call into tool messages. */
export function expandCallResults(messages: Message[]): Message[] {
  if (messages.every(message => callsIn(message).length === 0)) return messages
  const taken = new Set(messages.flatMap(callsIn).map(({ id }) => id))
  let next = 1
  const freeId = () => {
    while (taken.has(`call_${next}`)) next++
    return `call_${next++}`
  }
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant' || !message.tool_calls) return [message]
    const calls = message.tool_calls.map(call => ({ ...call, id: call.id === '' ? freeId() : call.id }))
    const results = calls.flatMap(call => resultOf(call) ?? [])
    return [{ ...message, tool_calls: calls.map(({ output, ...call }) => call) }, ...results]
  })
}

function callsIn(message: Message): readonly MessageCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : []
}

function resultOf({ id, output, function: called }: MessageCall): Message | undefined {
  if (output === undefined) return undefined
  const block: Block = typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output }
  return { role: 'tool', content: [block], tool_call_id: id, name: called.name }
}
