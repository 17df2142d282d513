import * as z from 'zod'
import type { Execution } from './execution.ts'
import type { Origin } from './location.ts'
import type { Test } from './test.ts'

/** A loaded suite. It is frozen, and every node can say where it came from. */
export interface Suite {
  readonly name: string
  readonly version: string
  readonly description: string | undefined
  readonly metadata: Readonly<z.output<typeof suiteMetadataSchema>>
  readonly tags: readonly string[]
  /** Absolute path of the file that was named. */
  readonly file: string
  readonly execution: Execution
  readonly tests: readonly Test[]
  readonly at: Origin
}

/** Between 0 and 1; optional. */
export const triggerThreshold = z.number().min(0).max(1).optional()

export const suiteMetadataSchema = z.looseObject({
  author: z.string().optional().describe('Who wrote the suite.'),
  license: z.string().optional().describe('Its license.'),
  skill: z.string().optional().describe('The skill that it tests.'),
  tags: z.array(z.string()).optional().describe('Tags of all its tests.'),
  trigger_threshold: triggerThreshold.describe(
    'The share of trials from which on a skill counts as used, in the verdicts on queries. Default: 0.5.',
  ),
})
