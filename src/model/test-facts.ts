/** What a check may know of its test before the run. */
export interface TestFacts {
  readonly id: string
  /** A string, a list of messages, or structured output. */
  readonly expected_output?: unknown
}
