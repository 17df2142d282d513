import { rubricList } from '../evaluators/shared/model-judges/rubric.ts'
import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { messageSchema } from '../model/message.ts'
import { mocksSchema } from '../model/mock.ts'
import { testFields } from '../model/test.ts'
import { checkLists } from './check.ts'
import { testExecutionSchema } from './execution.ts'

export const messagesSchema = lazily(() => z.array(messageSchema()).min(1))

/** A text, or messages. */
export const inputSchema = lazily(() => z.union([z.string(), messagesSchema()]))

const metadataSchema = lazily(() =>
  z.looseObject({
    tags: z.array(z.string()).optional().describe('Tags, in addition to those of the suite.'),
  }),
)

/** Variables, by name. */
export const varsSchema = lazily(() => z.record(z.string(), z.unknown()))

const rowsSchema = lazily(() =>
  z
    .union([z.string().min(1), z.array(varsSchema()).min(1)])
    .describe(
      'Values of variables, one test for each row: a list of mappings, or the path of a .csv, .jsonl or .json file. The column `id` ends the id of the test.',
    ),
)

interface TestParts<Input extends z.ZodType> {
  readonly input: Input
  readonly rubrics?: z.ZodType
  readonly mocks?: z.ZodType
}

/** Schema of a test. `parts` are the schemas of parts of it. */
export function testSchema<Input extends z.ZodType>(
  check: z.ZodType,
  { input, rubrics = rubricList(), mocks = mocksSchema() }: TestParts<Input>,
) {
  return z.strictObject({
    id: z
      .union([z.string().min(1), z.number()])
      .describe(
        'Id of the test, unique within the suite. A number is read as the text in the file: `007` stays `007`.',
      ),
    criteria: testFields().criteria,
    input: input.describe('Prompt for the agent: a string, or a list of messages.'),
    input_files: z.array(z.string().min(1)).min(1).optional().describe('Files to attach to a string `input`.'),
    expected_output: z.unknown().optional().describe('Reference answer: text, messages or structured output.'),
    rubrics: rubrics.optional().describe('Requirements for a good answer, graded by a model.'),
    ...checkLists(check, 'Checks for this test.'),
    mocks: mocks.optional(),
    vars: varsSchema().optional().describe('Variables of this test: values for `{{name}}`, over those of the suite.'),
    rows: rowsSchema().optional(),
    execution: testExecutionSchema(check).optional(),
    description: testFields().description,
    conversation_id: testFields().conversation_id,
    note: testFields().note,
    metadata: metadataSchema().optional().describe('Any other data to keep with the test.'),
  })
}
