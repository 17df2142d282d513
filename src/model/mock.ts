import { lazily } from '../lib/lazily.ts'
import { ruleParams } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import type { RecordedCall } from './recorded-call.ts'

/** Type names of arguments. */
export const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'any'] as const

/** Names that agents accept in `mcp__<server>__<tool>`; `__` would make two names from one. */
const SERVER_NAME = /^(?!.*__)[A-Za-z0-9_-]{1,64}$/
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/

export const serverNameSchema = lazily(() =>
  z.string().regex(SERVER_NAME, 'is not a valid name of a server: use up to 64 letters, digits, `-` and single `_`'),
)
export const toolNameSchema = lazily(() =>
  z.string().regex(TOOL_NAME, 'is not a valid name of a tool: use up to 128 letters, digits, `_`, `-` and `.`'),
)

const OUTCOMES = ['returns', 'set', 'error'] as const

/** A mocked tool as written in a suite. */
export const writtenToolSchema = lazily(() =>
  z
    .strictObject({
      description: z.string().optional().describe('Description of the tool, as the agent reads it.'),
      input: z
        .record(z.string().min(1), z.enum(INPUT_TYPES))
        .optional()
        .describe(
          'Arguments: the type of each by name, with a question mark after the name of an optional one. Others are not allowed.',
        ),
      input_schema: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('JSON Schema of the arguments, instead of `input`.'),
      returns: z.unknown().optional().describe('The result, with templates such as `{{state.orders[input.id]}}`.'),
      set: z
        .record(z.string().min(1), z.unknown())
        .optional()
        .describe(
          'Changes of the state: the new value by path, such as `orders[input.id].status`. All or none are made.',
        ),
      error: z.string().min(1).optional().describe('The error that every call gets, with templates.'),
    })
    .superRefine((tool, context) => {
      const exclude = (first: string, second: string) => {
        const message = `\`${first}\` and \`${second}\` cannot be used together`
        const params = ruleParams({ code: 'two-spellings', part: 'key', hint: 'keep one of them' })
        context.addIssue({ code: 'custom', message, path: [second], ...params })
      }
      if (tool.input !== undefined && tool.input_schema !== undefined) exclude('input', 'input_schema')
      for (const key of ['returns', 'set'] as const)
        if (tool[key] !== undefined && tool.error !== undefined) exclude(key, 'error')
      if (OUTCOMES.every(key => tool[key] === undefined)) {
        const message = 'this tool has no result: one of `returns`, `set`, `error` is missing'
        context.addIssue({ code: 'custom', message, path: [], ...ruleParams({ code: 'missing-key', oneOf: OUTCOMES }) })
      }
    })
    .meta({
      anyOf: OUTCOMES.map(key => ({ required: [key] })),
      allOf: [
        ['input', 'input_schema'],
        ['returns', 'error'],
        ['set', 'error'],
      ].map(required => ({ not: { required } })),
    })
    .describe('A mocked tool.'),
)

/** A mapping that is not empty, as a rule of zod and of the JSON Schema. */
function notEmpty<Schema extends z.ZodRecord>(schema: Schema, message: string) {
  return schema
    .refine(entries => Object.keys(entries).length > 0, {
      error: message,
      ...ruleParams({ code: 'out-of-range' }),
    })
    .meta({ minProperties: 1 })
}

export const writtenServerSchema = lazily(() =>
  z
    .strictObject({
      state: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('State at the beginning of each attempt. Its end is in the record.'),
      tools: notEmpty(
        z.record(toolNameSchema(), writtenToolSchema()),
        'a mocked server needs at least one tool',
      ).describe('Tools by name.'),
    })
    .describe('A mocked MCP server.'),
)

/** `mocks` of a suite or test. */
export const mocksSchema = lazily(() =>
  z
    .union([
      z.string().min(1),
      notEmpty(z.record(serverNameSchema(), writtenServerSchema()), '`mocks` needs at least one server'),
    ])
    .describe('Mocked MCP servers: by name, or a folder with a folder for each server and a file for each tool.'),
)

/** A mocked tool, as the program that serves it reads it. */
export interface MockTool {
  readonly description?: string | undefined
  /** JSON Schema of the arguments. */
  readonly input_schema: Readonly<Record<string, unknown>>
  /** What arguments must be, by dotted path: the name of a type, `/a pattern/`, a value, or a list of values. */
  readonly expect?: Readonly<Record<string, unknown>> | undefined
  readonly returns?: unknown
  readonly set?: Readonly<Record<string, unknown>> | undefined
  readonly error?: string | undefined
  /** Recorded calls, which are answered as they were then. */
  readonly recordings?: readonly MockRecording[] | undefined
  /** Only recorded calls are answered; any other is rejected. */
  readonly only_recordings?: true | undefined
}

/** A recorded call. */
export interface MockRecording {
  readonly input: unknown
  readonly output: RecordedCall['output']
  readonly is_error?: true | undefined
  /** The whole result, if it is more than the output. */
  readonly result?: RecordedCall['result']
  /** The error of JSON-RPC, if there was no result. */
  readonly error?: RecordedCall['error']
}

/** A mocked server, as the program that serves it reads it. */
export interface MockServer {
  readonly state: Readonly<Record<string, unknown>>
  readonly tools: Readonly<Record<string, MockTool>>
  /** The texts that templates insert with `file:`, by path; undefined if there can be none. */
  readonly files?: Readonly<Record<string, string>> | undefined
}

export type MockServers = Readonly<Record<string, MockServer>>

/** The mocked servers of a test. */
export interface Mocks {
  readonly servers: MockServers
  /** Absolute paths of the files that define them. */
  readonly paths: readonly string[]
}
