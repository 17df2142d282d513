/** How the program ends. Errors outrank failures. */
export const EXIT = {
  /** Everything was in order. */
  ok: 0,
  /** Usage, configuration or validation. */
  mistakes: 2,
  /** Nothing was found or selected. */
  nothing: 5,
  /** A bug of ours. */
  bug: 70,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
