import * as z from 'zod'
import { rubricList } from '../evaluators/shared/model-judges/rubric.ts'
import type { Check } from '../model/check.ts'
import type { Origin } from '../model/location.ts'
import { type Message, messageSchema } from '../model/message.ts'
import { visibleText } from '../model/visible-text.ts'
import { checkLists } from './check.ts'
import { type Execution, testExecutionSchema } from './execution.ts'

export const messagesSchema = z.array(messageSchema).min(1)

const metadataSchema = z.looseObject({
  tags: z.array(z.string()).optional().describe("Tags, added to the suite's."),
})

/** A test as it is written. */
export function testSchema(check: z.ZodType) {
  return z
    .strictObject({
      id: z
        .union([z.string().min(1), z.number()])
        .describe('Unique within the suite. A number is taken as the text that stands in the file.'),
      criteria: visibleText.optional().describe('What makes an answer a good one, in words.'),
      input: z.union([z.string(), messagesSchema]).describe('What the agent gets: a text, or messages.'),
      input_files: z.array(z.string().min(1)).min(1).optional().describe('Files that go along with a text `input`.'),
      expected_output: z.unknown().optional().describe('A good answer: text, messages, or structured output.'),
      rubrics: rubricList.optional().describe('What a good answer does, judged by a model.'),
      ...checkLists(check, 'Checks of this test.'),
      execution: testExecutionSchema(check).optional(),
      description: z.string().optional().describe('What the test is about.'),
      conversation_id: z
        .string()
        .min(1)
        .optional()
        .describe('Tests that share one run in order and are reported together.'),
      note: z.string().optional().describe('Context that judges get.'),
      metadata: metadataSchema.optional().describe('Anything else you want to keep with the test.'),
    })
    .describe('A test.')
}

type Written = z.output<ReturnType<typeof testSchema>>

/** A test of a loaded suite, with every shorthand expanded. */
export interface Test extends Readonly<Pick<Written, 'criteria' | 'description' | 'conversation_id' | 'note'>> {
  readonly id: string
  /** The id, where it is written as a number. */
  readonly number: number | undefined
  readonly input: readonly Message[]
  /** A string, a list of messages, or structured output. */
  readonly expected_output: unknown
  /** Its own checks in order, then its rubrics, then the suite's. */
  readonly checks: readonly Check[]
  readonly execution: Execution
  readonly metadata: Readonly<Record<string, unknown>>
  /** The suite's tags and its own. */
  readonly tags: readonly string[]
  readonly at: Origin
}
