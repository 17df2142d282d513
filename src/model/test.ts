import { lazily } from '../lib/lazily.ts'
import { visibleText } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import type { Check } from './check.ts'
import type { Execution } from './execution.ts'
import type { Origin } from './location.ts'
import type { Message } from './message.ts'
import type { Mocks } from './mock.ts'
import type { VariantInput } from './variant.ts'

/** A test of a loaded suite, with every shorthand expanded. */
export interface Test extends Readonly<z.output<z.ZodObject<ReturnType<typeof testFields>>>> {
  readonly id: string
  /** The id, if it is written as a number. */
  readonly number: number | undefined
  /** In a suite with variants: that of the first one. */
  readonly input: readonly Message[]
  /** Its input in each variant of the suite. */
  readonly variants?: readonly VariantInput[] | undefined
  /** What it fills into variants: its own input and variables. Tests with the same data differ by their variant alone. */
  readonly data?: readonly Message[] | undefined
  /** A string, a list of messages, or structured output. */
  readonly expected_output: unknown
  /** Checks of the test, then its rubrics, then checks of the suite. */
  readonly checks: readonly Check[]
  /** Mocked servers of the suite and its own. */
  readonly mocks?: Mocks | undefined
  readonly execution: Execution
  readonly metadata: Readonly<Record<string, unknown>>
  /** The suite's tags and its own. */
  readonly tags: readonly string[]
  readonly at: Origin
}

/** The fields that a loaded test has as written. */
export const testFields = lazily(() => ({
  criteria: visibleText().optional().describe('Description of a good answer.'),
  description: z.string().optional().describe('Purpose of the test.'),
  conversation_id: z
    .string()
    .min(1)
    .optional()
    .describe('Name of a conversation. Tests with the same name run in order and are reported together.'),
  note: z.string().optional().describe('Additional context for judges.'),
}))
