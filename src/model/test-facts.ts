import type { Message } from './message.ts'

/** What a check may know of its test before the run. */
export interface TestFacts {
  /** A string, a list of messages, or structured output. */
  readonly expected_output?: unknown
}

/** What a judge may know of the test whose answer it grades. */
export interface AskedTest extends TestFacts {
  readonly id: string
  readonly criteria?: string | undefined
  readonly input: readonly Message[]
  readonly note?: string | undefined
  readonly metadata: Readonly<Record<string, unknown>>
}
