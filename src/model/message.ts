import * as z from 'zod'
import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { ruleParams, withHints } from '../lib/schema-rules.ts'

const text = z.string()

const ARGUMENTS_HINT = `write the arguments as a string of JSON: '{"name": "Alice"}'`

const functionCallSchema = z
  .strictObject({
    id: text.min(1).describe('Identifies the call; the tool message that answers it names this id.'),
    type: z.literal('function').describe('Always `function`.'),
    function: z
      .strictObject({
        name: text.min(1).describe('The tool.'),
        arguments: text
          .refine(isJson, {
            error: '`arguments` is not JSON',
            ...ruleParams({ code: 'bad-arguments', hint: ARGUMENTS_HINT }),
          })
          .describe('The arguments, as a string of JSON.'),
      })
      .describe('The function that is called.'),
  })
  .describe('A call that the assistant makes.')

/** A call in a message of a test. */
export interface MessageCall extends z.output<typeof functionCallSchema> {
  /** Its result, where that is written with the call: the loader makes a tool message of it. */
  readonly output?: unknown
}

const shortCallSchema = z
  .strictObject({
    tool: text.min(1).describe('The tool.'),
    input: z.unknown().optional().describe('The arguments, as any value.'),
    output: z.unknown().optional().describe('The result: the same as a tool message after this one.'),
    id: text.min(1).optional().describe('Identifies the call. Default: `call_1`, `call_2`, …'),
  })
  .transform(
    ({ tool, input = {}, output, id = '' }): MessageCall => ({
      id,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(input) },
      ...(output === undefined ? {} : { output }),
    }),
  )
  .describe('A call that the assistant makes, in short.')

const callSchema = z.union([functionCallSchema as z.ZodType<MessageCall>, shortCallSchema])

function isJson(value: string): boolean {
  return parseJson(value) !== undefined
}

export const blockSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('text').describe('Plain text.'),
      value: text.describe('The text.'),
    }),
    z.strictObject({
      type: z.literal('file').describe('A file that goes along with the message.'),
      value: text
        .min(1)
        .describe('Path, from the folder of the file that contains it; with a leading `/`, from the repository root.'),
    }),
    z.strictObject({
      type: z.literal('image').describe('An image.'),
      value: text.min(1).describe('A `data:` URI, base64 of an image, or a path.'),
    }),
    z.strictObject({
      type: z.literal('json').describe('Structured data.'),
      value: z.unknown().describe('Any value.'),
    }),
  ])
  .describe('One piece of a message.')

/** A block in the model: files and images also know where they are on disk. */
export type Block = z.output<typeof blockSchema> & { path?: string }

const content = withHints(
  z
    .union([
      text.transform((value): Block[] => [{ type: 'text', value }]),
      z.array(blockSchema as z.ZodType<Block>).min(1),
    ])
    .describe('A string, or a list of blocks.'),
  { value: contentHint },
)

/** For a mapping in place of a list of blocks: one block, or structured data. */
function contentHint(found: unknown): string | undefined {
  if (!isMapping(found)) return undefined
  return Object.hasOwn(found, 'type') && Object.hasOwn(found, 'value')
    ? 'write the block as an entry of a list: put `- ` before `type`'
    : 'write structured data as a block: `content: [{type: json, value: {…}}]`'
}

export const messageSchema = z
  .discriminatedUnion('role', [
    z.strictObject({ role: z.literal('system').describe('Instructions to the agent.'), content }),
    z.strictObject({ role: z.literal('user').describe('What the user says.'), content }),
    z
      .strictObject({
        role: z.literal('assistant').describe('What the agent said.'),
        content: content.optional(),
        tool_calls: z.array(callSchema).min(1).optional().describe('The calls that the assistant makes.'),
      })
      .refine(message => message.content !== undefined || message.tool_calls !== undefined, {
        error: '`content` is missing',
        ...ruleParams({
          code: 'missing-key',
          hint: 'only an assistant message with `tool_calls` may leave `content` out',
        }),
      })
      .meta({ anyOf: [{ required: ['content'] }, { required: ['tool_calls'] }] }),
    z.strictObject({
      role: z.literal('tool').describe('The result of a call.'),
      content,
      tool_call_id: text.min(1).describe('The call that this answers.'),
      name: text.min(1).optional().describe('The tool.'),
    }),
  ])
  .describe('One message of a conversation.')

export type Message = z.output<typeof messageSchema>

export const ROLES: readonly Message['role'][] = ['system', 'user', 'assistant', 'tool']

/** Whether a value is a list of messages: a list, not empty, in which every item has a `role`. */
export function looksLikeMessages(value: unknown): value is Message[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every(item => typeof item === 'object' && item !== null && Object.hasOwn(item, 'role'))
}

/** A message as text: its text blocks and its JSON, a blank line between. */
export function messageText(message: Message | undefined): string {
  const blocks = message?.content ?? []
  const [only] = blocks
  // Nearly every message is one text, and every answer is made to one.
  if (only?.type === 'text' && blocks.length === 1) return only.value
  return blocks
    .flatMap(block => {
      if (block.type === 'text') return [block.value]
      return block.type === 'json' ? [JSON.stringify(block.value, null, 2)] : []
    })
    .join('\n\n')
}

/** The absolute paths of the files and images that messages bring along. */
export function filePathsIn(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content = [] }) => content.flatMap(({ path }) => (path === undefined ? [] : [path])))
}

/** The text of the last message of the assistant; empty if there is none. */
export function lastAssistantText(messages: readonly Message[]): string {
  return messageText(messages.findLast(({ role }) => role === 'assistant'))
}

/** An expected output as text: the last message of the assistant, a string, or JSON. */
export function expectedText(expected: unknown, indent = 2): string | undefined {
  if (looksLikeMessages(expected)) return lastAssistantText(expected)
  return expected === undefined || typeof expected === 'string' ? expected : JSON.stringify(expected, null, indent)
}
