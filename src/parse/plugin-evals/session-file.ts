import { lazily } from '../../lib/lazily.ts'
import { withoutNullish } from '../../lib/objects.ts'
import * as z from '../../lib/zod.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { LoadContext } from '../suite/load-context.ts'
import { readJsonLines } from '../yaml/read-document.ts'
import type { SourceNode } from '../yaml/source-node.ts'

const textBlock = lazily(() => z.looseObject({ type: z.literal('text'), text: z.string() }))
const imageBlock = lazily(() =>
  z.looseObject({
    type: z.literal('image'),
    source: z.looseObject({ type: z.literal('base64'), media_type: z.string().min(1), data: z.string().min(1) }),
  }),
)
const resultBlock = lazily(() =>
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string().min(1),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock(), imageBlock()]))]).optional(),
  }),
)
const callBlock = lazily(() =>
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.unknown().optional(),
  }),
)
const thoughtBlock = lazily(() => z.looseObject({ type: z.enum(['thinking', 'redacted_thinking']) }))

const userLine = lazily(() =>
  z.looseObject({
    type: z.literal('user'),
    message: z.looseObject({
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock(), imageBlock(), resultBlock()]))]),
    }),
  }),
)
const assistantLine = lazily(() =>
  z.looseObject({
    type: z.literal('assistant'),
    message: z.looseObject({
      id: z.string().optional(),
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [textBlock(), callBlock(), thoughtBlock()]))]),
    }),
  }),
)
const lineSchema = lazily(() => z.discriminatedUnion('type', [userLine(), assistantLine()]))

type SessionBlock = z.output<
  | ReturnType<typeof textBlock>
  | ReturnType<typeof imageBlock>
  | ReturnType<typeof resultBlock>
  | ReturnType<typeof callBlock>
  | ReturnType<typeof thoughtBlock>
>
type Content = string | readonly SessionBlock[]

/** A message of a test as written. */
export type WrittenMessage = Readonly<Record<string, unknown>>

/** Reads the messages of a session or a stream of events, JSON lines. Lines without a message are skipped. */
export async function readSession(path: string, named: SourceNode, context: LoadContext): Promise<WrittenMessage[]> {
  const { files, diagnostics } = context
  const source = await files.read(path)
  if (!source) return []
  const before = diagnostics.errors
  const lines = source.text.trim() === '' ? [] : [...readJsonLines(source, diagnostics)]
  const messages = lines.flatMap(({ raw, at }) => messagesOf(raw, at, context))
  if (messages.length === 0 && diagnostics.errors === before) {
    const message = 'this file has no messages'
    const hint = 'write one line for each message: `{"type": "user", "message": {"role": "user", "content": "…"}}`'
    diagnostics.add({ code: 'bad-case', at: source.text === '' ? named : source.location(0, 1), message, hint })
  }
  return joinParts(messages)
}

/** Messages with the id of what the model sent: one reply may be several lines. */
interface Part {
  readonly reply: string | undefined
  readonly message: WrittenMessage
}

function messagesOf(raw: unknown, at: SourceNode, { diagnostics }: LoadContext): Part[] {
  const isMessage = z.looseObject({ message: z.unknown() }).refine(line => line.message !== undefined)
  // Settings, summaries and results of the session.
  if (z.looseObject({}).safeParse(raw).success && !isMessage.safeParse(raw).success) return []
  // A subagent has a conversation of its own.
  if (subagentLine().safeParse(raw).success) return []
  const line = checkShape(lineSchema(), raw, at, diagnostics)
  if (!line) return []
  return line.type === 'user' ? userMessages(line.message.content) : assistantMessages(line.message)
}

const subagentLine = lazily(() =>
  z.union([z.looseObject({ isSidechain: z.literal(true) }), z.looseObject({ parent_tool_use_id: z.string() })]),
)

function userMessages(content: Content): Part[] {
  const blocks = blocksOf(content)
  const results = blocks.flatMap(block => (block.type === 'tool_result' ? [toolMessage(block)] : []))
  const shown = shownBlocks(blocks)
  const said = shown.length === 0 ? [] : [{ role: 'user', content: shown }]
  return [...results, ...said].map(message => ({ reply: undefined, message }))
}

function toolMessage({ tool_use_id, content = '' }: z.output<ReturnType<typeof resultBlock>>): WrittenMessage {
  const shown = shownBlocks(blocksOf(content))
  return { role: 'tool', tool_call_id: tool_use_id, content: shown.length === 0 ? '' : shown }
}

function assistantMessages({ id, content }: { readonly id?: string | undefined; readonly content: Content }): Part[] {
  const blocks = blocksOf(content)
  const shown = shownBlocks(blocks)
  const calls = blocks.flatMap(block => {
    if (block.type !== 'tool_use') return []
    const { id, name, input = {} } = block
    return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }]
  })
  if (shown.length === 0 && calls.length === 0) return []
  const message = {
    role: 'assistant',
    content: shown.length === 0 ? undefined : shown,
    tool_calls: calls.length === 0 ? undefined : calls,
  }
  return [{ reply: id, message: withoutNullish(message) }]
}

function blocksOf(content: Content): readonly SessionBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function shownBlocks(blocks: readonly SessionBlock[]): WrittenMessage[] {
  return blocks.flatMap((block): WrittenMessage[] => {
    if (block.type === 'text') return [{ type: 'text', value: block.text }]
    if (block.type !== 'image') return []
    const { media_type, data } = block.source
    return [{ type: 'image', value: `data:${media_type};base64,${data}` }]
  })
}

/** Joins the lines of one reply of the model. */
function joinParts(parts: readonly Part[]): WrittenMessage[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.reply === undefined || last?.reply !== part.reply) joined.push(part)
    else joined[joined.length - 1] = { reply: part.reply, message: joinMessages(last.message, part.message) }
  }
  return joined.map(({ message }) => message)
}

function joinMessages(first: WrittenMessage, second: WrittenMessage): WrittenMessage {
  const both = (key: string) => {
    const list = [first[key] ?? [], second[key] ?? []].flat()
    return list.length === 0 ? undefined : list
  }
  return withoutNullish({ role: 'assistant', content: both('content'), tool_calls: both('tool_calls') })
}
