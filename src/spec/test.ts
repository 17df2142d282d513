import * as z from 'zod'
import { rubricList } from '../evaluators/shared/model-judges/rubric.ts'
import { messageSchema } from '../model/message.ts'
import { testFields } from '../model/test.ts'
import { checkLists } from './check.ts'
import { testExecutionSchema } from './execution.ts'

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
      criteria: testFields.criteria,
      input: z.union([z.string(), messagesSchema]).describe('What the agent gets: a text, or messages.'),
      input_files: z.array(z.string().min(1)).min(1).optional().describe('Files that go along with a text `input`.'),
      expected_output: z.unknown().optional().describe('A good answer: text, messages, or structured output.'),
      rubrics: rubricList.optional().describe('What a good answer does, judged by a model.'),
      ...checkLists(check, 'Checks of this test.'),
      execution: testExecutionSchema(check).optional(),
      description: testFields.description,
      conversation_id: testFields.conversation_id,
      note: testFields.note,
      metadata: metadataSchema.optional().describe('Anything else you want to keep with the test.'),
    })
    .describe('A test.')
}
