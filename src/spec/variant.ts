import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { inputSchema } from './test.ts'

/** Schema of a variant of a suite. */
export const variantSchema = lazily(() =>
  z
    .strictObject({
      name: z
        .string()
        .regex(/^[^\s/]([^/]*[^\s/])?$/, 'must not be empty, contain `/`, or begin or end with a space')
        .describe('Name of the variant, unique within the suite.'),
      input: inputSchema().describe(
        'Prompt for the agent: a string, or a list of messages, with `{{name}}` for variables and `{{input}}` for the input of the test.',
      ),
      control: z
        .boolean()
        .optional()
        .describe('Compare the other variants with this one, on each target. At most one variant is the control.'),
    })
    .describe('A prompt for all tests.'),
)
