import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** A recorded call of a tool: `.replay/<server>/<tool>-<hash>.json` in a folder with mocks. */
export const recordedCallSchema = lazily(() =>
  z
    .looseObject({
      input: z.unknown().describe('Arguments of the call; {} for a call without arguments.'),
      output: z
        .union([z.string(), z.record(z.string(), z.unknown())])
        .describe('The text of the result, its structured content, or the message of an error.'),
      verdict: z.enum(['ok', 'error']).optional().describe('Whether the tool returned an error.'),
      recordedAt: z.string().optional().describe('Time of the answer, in ISO 8601.'),
      model: z.string().nullish().describe('The model that answered; null for a real server.'),
      result: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('The whole result of MCP, if it is more than one text: several blocks, images, structured content.'),
      error: z
        .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
        .optional()
        .describe('The error of JSON-RPC, if the server returned one instead of a result.'),
    })
    .describe('A recorded call of a tool.'),
)

export type RecordedCall = z.output<ReturnType<typeof recordedCallSchema>>
