import * as z from 'zod'
import type { Origin } from '../model/location.ts'
import { withHints } from '../model/shape-hints.ts'
import { checkLists } from './check.ts'
import { type Execution, suiteExecutionSchema } from './execution.ts'
import { LONGEST_SUITE_NAME, SUITE_NAME, suiteNameOf } from './suite-name.ts'
import type { Test } from './test.ts'

const NO_VERSION = 'is not a 1.x version of the format'
export const VERSION = /^1(\.\d+){0,2}$/

/** Between 0 and 1; optional. */
export const triggerThreshold = z.number().min(0).max(1).optional()

const metadataSchema = z.looseObject({
  author: z.string().optional().describe('Who wrote the suite.'),
  license: z.string().optional().describe('Its license.'),
  skill: z.string().optional().describe('The skill that it tests.'),
  tags: z.array(z.string()).optional().describe('Tags of all its tests.'),
  trigger_threshold: triggerThreshold.describe(
    'The share of trials from which on a skill counts as used, in the verdicts on queries. Default: 0.5.',
  ),
})

const nameSchema = withHints(
  z
    .string()
    .max(LONGEST_SUITE_NAME)
    .regex(
      SUITE_NAME,
      'is not a valid name: use lowercase letters, digits and hyphens; begin with a letter and do not end with a hyphen',
    )
    .optional()
    .describe('Name of the suite. Default: the name of its folder or file.'),
  { value: nameHint },
)

function nameHint(found: unknown): string | undefined {
  const name = typeof found === 'string' ? suiteNameOf(found, '') : ''
  return name === '' ? undefined : `write \`name: ${name}\``
}

/** A suite as it is written. */
export function suiteSchema(check: z.ZodType, test: z.ZodType) {
  return z
    .strictObject({
      $schema: z.string().optional().describe('The JSON Schema for editors.'),
      name: nameSchema,
      version: z
        .union([z.string().regex(VERSION, NO_VERSION), z.number().min(1, NO_VERSION).lt(2, NO_VERSION)])
        .optional()
        .describe('Version of the format, `"1.0"`.'),
      description: z.string().max(2048).optional().describe('What the suite covers.'),
      metadata: metadataSchema.optional().describe('Anything else you want to keep with the suite.'),
      execution: suiteExecutionSchema(check).optional(),
      ...checkLists(check, 'Checks of every test.'),
      tests: z
        .union([z.string().min(1), z.array(z.union([z.string().min(1), test])).min(1)])
        .optional()
        .describe('The tests: written here, and paths or globs of files that hold more.'),
    })
    .describe('A suite of tests for an AI agent.')
}

/** A loaded suite. It is frozen, and every node can say where it came from. */
export interface Suite {
  readonly name: string
  readonly version: string
  readonly description: string | undefined
  readonly metadata: Readonly<z.output<typeof metadataSchema>>
  readonly tags: readonly string[]
  /** Absolute path of the file that was named. */
  readonly file: string
  readonly execution: Execution
  readonly tests: readonly Test[]
  readonly at: Origin
}
