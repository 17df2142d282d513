import { lazily } from '../lib/lazily.ts'
import { withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { mocksSchema } from '../model/mock.ts'
import { suiteMetadataSchema } from '../model/suite.ts'
import { checkLists } from './check.ts'
import { suiteExecutionSchema } from './execution.ts'
import { LONGEST_SUITE_NAME, SUITE_NAME, suiteNameOf } from './suite-name.ts'
import { varsSchema } from './test.ts'
import { variantSchema } from './variant.ts'

const NO_VERSION = 'is not a supported version of the format: use 1.x'
export const VERSION = /^1(\.\d+){0,2}$/

const nameSchema = lazily(() =>
  withHints(
    z
      .string()
      .max(LONGEST_SUITE_NAME)
      .regex(
        SUITE_NAME,
        'is not a valid name: use lowercase letters, digits and hyphens, begin with a letter and do not end with a hyphen',
      )
      .optional()
      .describe('Name of the suite. Default: the name of its folder or file.'),
    { value: nameHint },
  ),
)

function nameHint(found: unknown): string | undefined {
  const name = typeof found === 'string' ? suiteNameOf(found, '') : ''
  return name === '' ? undefined : `write \`name: ${name}\``
}

/** Schema of a suite. `mocks` replaces the schema of its mocks. */
export function suiteSchema(check: z.ZodType, test: z.ZodType, mocks: z.ZodType = mocksSchema()) {
  return z.strictObject({
    $schema: z.string().optional().describe('Path or URL of the JSON Schema, for editors.'),
    name: nameSchema(),
    version: z
      .union([z.string().regex(VERSION, NO_VERSION), z.number().min(1, NO_VERSION).lt(2, NO_VERSION)])
      .optional()
      .describe('Version of the format: `"1.0"`.'),
    description: z.string().max(2048).optional().describe('What the suite covers.'),
    metadata: suiteMetadataSchema().optional().describe('Any other data to keep with the suite.'),
    execution: suiteExecutionSchema(check).optional(),
    ...checkLists(check, 'Checks for every test.'),
    mocks: mocks.optional(),
    vars: varsSchema().optional().describe('Variables of all tests: values for `{{name}}`.'),
    variants: z
      .array(variantSchema())
      .min(1)
      .optional()
      .describe(
        'Prompts for the same tests. Each of them on each target is an arm, named `TARGET/VARIANT`; tests need no `input` of their own.',
      ),
    tests: z
      .union([z.string().min(1), z.array(z.union([z.string().min(1), test])).min(1)])
      .optional()
      .describe('Tests, written inline or as paths and globs of files that contain tests.'),
  })
}
