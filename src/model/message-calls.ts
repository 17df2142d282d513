import * as z from 'zod'
import { parseJson } from '../lib/parse-json.ts'
import { mistake } from './key-rules.ts'

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
            ...mistake({ code: 'bad-arguments', hint: ARGUMENTS_HINT }),
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

export const callSchema = z.union([functionCallSchema as z.ZodType<MessageCall>, shortCallSchema])

function isJson(value: string): boolean {
  return parseJson(value) !== undefined
}
