/** What a check may know of its test before the run. */
export interface TestFacts {
  /** A string, a list of messages, or structured output. */
  readonly expected_output?: unknown
}
