import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import type { Execution } from './execution.ts'
import type { Origin } from './location.ts'
import type { Test } from './test.ts'
import type { Variant } from './variant.ts'

/** A loaded suite. It is frozen, and its parts have their locations. */
export interface Suite {
  readonly name: string
  readonly version: string
  readonly description: string | undefined
  readonly metadata: Readonly<z.output<ReturnType<typeof suiteMetadataSchema>>>
  readonly tags: readonly string[]
  /** Absolute path of the suite file. */
  readonly file: string
  readonly execution: Execution
  readonly tests: readonly Test[]
  /** Prompts that are compared as arms. */
  readonly variants?: readonly Variant[] | undefined
  /** Targets that it brings, as written. Those of a targets file with the same name replace them. */
  readonly targets?: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly at: Origin
}

/** Between 0 and 1; optional. */
export const triggerThreshold = lazily(() => z.number().min(0).max(1).optional())

export const suiteMetadataSchema = lazily(() =>
  z.looseObject({
    author: z.string().optional().describe('Author of the suite.'),
    license: z.string().optional().describe('License of the suite.'),
    skill: z.string().optional().describe('Skill under test.'),
    tags: z.array(z.string()).optional().describe('Tags for all tests of the suite.'),
    trigger_threshold: triggerThreshold().describe(
      'Share of trials, from 0 to 1, in which a query must trigger the skill to count as triggered. Default: 0.5.',
    ),
  }),
)
