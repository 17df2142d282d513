import { parseJson } from '../lib/json/parse-json.ts'
import { lazily } from '../lib/lazily.ts'
import { isMapping } from '../lib/objects.ts'
import { ruleParams, withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'

const text = lazily(() => z.string())

const ARGUMENTS_HINT = `write the arguments as a string of JSON: '{"name": "Alice"}'`

const functionCallSchema = lazily(() =>
  z
    .strictObject({
      id: text().min(1).describe('Id of the call, which the tool message with its result repeats.'),
      type: z.literal('function').describe('Always `function`.'),
      function: z
        .strictObject({
          name: text().min(1).describe('Name of the tool.'),
          arguments: text()
            .refine(isJson, {
              error: '`arguments` is not JSON',
              ...ruleParams({ code: 'bad-arguments', hint: ARGUMENTS_HINT }),
            })
            .describe('The arguments, as a string of JSON.'),
        })
        .describe('The called function.'),
    })
    .describe('A tool call of the assistant.'),
)

/** A tool call in a message of a test. */
export interface MessageCall extends z.output<ReturnType<typeof functionCallSchema>> {
  /** The result, if it is written with the call: the loader turns it into a tool message. */
  readonly output?: unknown
}

const shortCallSchema = lazily(() =>
  z
    .strictObject({
      tool: text().min(1).describe('Name of the tool.'),
      input: z.unknown().optional().describe('The arguments, as any value.'),
      output: z.unknown().optional().describe('The result; equivalent to a tool message after this one.'),
      id: text().min(1).optional().describe('Id of the call. Default: `call_1`, `call_2`, …'),
    })
    .transform(
      ({ tool, input = {}, output, id = '' }): MessageCall => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
        ...(output === undefined ? {} : { output }),
      }),
    )
    .describe('A tool call of the assistant, in short form.'),
)

const callSchema = lazily(() => z.union([functionCallSchema() as z.ZodType<MessageCall>, shortCallSchema()]))

function isJson(value: string): boolean {
  return parseJson(value) !== undefined
}

export const blockSchema = lazily(() =>
  z
    .discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('text').describe('Plain text.'),
        value: text().describe('The text.'),
      }),
      z.strictObject({
        type: z.literal('file').describe('A file attached to the message.'),
        value: text()
          .min(1)
          .describe(
            'Path, from the folder of the file that contains it; with a leading `/`, from the repository root.',
          ),
      }),
      z.strictObject({
        type: z.literal('image').describe('An image.'),
        value: text().min(1).describe('A `data:` URI, base64 of an image, or a path.'),
      }),
      z.strictObject({
        type: z.literal('json').describe('Structured data.'),
        value: z.unknown().describe('Any value.'),
      }),
    ])
    .describe('A block of a message.'),
)

/** A block of a loaded message: files and images have an absolute path. */
export type Block = z.output<ReturnType<typeof blockSchema>> & { path?: string }

const content = lazily(() =>
  withHints(
    z
      .union([
        text().transform((value): Block[] => [{ type: 'text', value }]),
        z.array(blockSchema() as z.ZodType<Block>).min(1),
      ])
      .describe('A string, or a list of blocks.'),
    { value: contentHint },
  ),
)

/** The hint for a mapping in place of a list of blocks. */
function contentHint(found: unknown): string | undefined {
  if (!isMapping(found)) return undefined
  return Object.hasOwn(found, 'type') && Object.hasOwn(found, 'value')
    ? 'write the block as an entry of a list: put `- ` before `type`'
    : 'write structured data as a block: `content: [{type: json, value: {…}}]`'
}

export const messageSchema = lazily(() =>
  z
    .discriminatedUnion('role', [
      z.strictObject({ role: z.literal('system').describe('Instructions for the agent.'), content: content() }),
      z.strictObject({ role: z.literal('user').describe('What the user says.'), content: content() }),
      z
        .strictObject({
          role: z.literal('assistant').describe('What the agent said.'),
          content: content().optional(),
          tool_calls: z.array(callSchema()).min(1).optional().describe('Tool calls of the assistant.'),
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
        role: z.literal('tool').describe('The result of a tool call.'),
        content: content(),
        tool_call_id: text().min(1).describe('Id of the call.'),
        name: text().min(1).optional().describe('Name of the tool.'),
      }),
    ])
    .describe('A message of a conversation.'),
)

export type Message = z.output<ReturnType<typeof messageSchema>>

export const ROLES: readonly Message['role'][] = ['system', 'user', 'assistant', 'tool']

/** Whether a value is a non-empty list in which every item has a `role`. */
export function looksLikeMessages(value: unknown): value is Message[] {
  if (!Array.isArray(value) || value.length === 0) return false
  return value.every(item => typeof item === 'object' && item !== null && Object.hasOwn(item, 'role'))
}

/** The text and JSON blocks of a message, separated by blank lines. */
export function messageText(message: Message | undefined): string {
  const blocks = message?.content ?? []
  const [only] = blocks
  // Fast path: nearly every message is a single text.
  if (only?.type === 'text' && blocks.length === 1) return only.value
  return blocks
    .flatMap(block => {
      if (block.type === 'text') return [block.value]
      return block.type === 'json' ? [JSON.stringify(block.value, null, 2)] : []
    })
    .join('\n\n')
}

/** The absolute paths of the files and images in messages. */
export function filePathsIn(messages: readonly Message[]): string[] {
  const paths: string[] = []
  for (const { content = [] } of messages) for (const { path } of content) if (path !== undefined) paths.push(path)
  return paths
}

/** The text of the last assistant message; empty if there is no such message. */
export function lastAssistantText(messages: readonly Message[]): string {
  return messageText(messages.findLast(({ role }) => role === 'assistant'))
}

/** An expected output as text: the last message of the assistant, a string, or JSON. */
export function expectedText(expected: unknown, indent = 2): string | undefined {
  if (looksLikeMessages(expected)) return lastAssistantText(expected)
  return expected === undefined || typeof expected === 'string' ? expected : JSON.stringify(expected, null, indent)
}
