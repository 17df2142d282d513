import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** A call to a mocked tool. */
export const mockCallSchema = lazily(() =>
  z
    .strictObject({
      server: z.string().min(1).describe('Name of the mocked server.'),
      tool: z.string().min(1).describe('Name of the tool, without the name of the server.'),
      input: z.unknown().optional().describe('Arguments of the call.'),
      output: z.unknown().optional().describe('What the mock returned.'),
      error: z.string().optional().describe('The error that the mock returned.'),
      rejected: z
        .literal(true)
        .optional()
        .describe('The tool is not mocked, or the arguments are not allowed: the attempt is an error.'),
    })
    .describe('A call to a mocked tool.'),
)

export type MockCall = z.output<ReturnType<typeof mockCallSchema>>

/** The state of each mocked server at the end of an attempt. */
export const mockStateSchema = lazily(() =>
  z.record(z.string(), z.unknown()).describe('State of each mocked server at the end, by name of the server.'),
)
