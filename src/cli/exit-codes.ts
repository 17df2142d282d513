/** The exit codes of the program. Errors outrank failures. */
export const EXIT = {
  ok: 0,
  /** A test failed, or the quality gate did. */
  failed: 1,
  /** Wrong usage, configuration or files. */
  userError: 2,
  /** Some attempts could not be made or judged, or the budget was spent. */
  incomplete: 3,
  /** A comparison without a clear result. */
  inconclusive: 4,
  /** Nothing was found or selected. */
  nothing: 5,
  /** A bug of the program. */
  bug: 70,
  hangup: 129,
  interrupt: 130,
  quit: 131,
  terminate: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** The code after something besides the run itself could not be done: a worse code stays. */
export function withUserError(code: ExitCode): ExitCode {
  return code === EXIT.ok || code === EXIT.failed ? EXIT.userError : code
}
