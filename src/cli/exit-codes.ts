/** How the program ends. Errors outrank failures. */
export const EXIT = {
  /** Everything was in order; the gate held. */
  ok: 0,
  /** The gate did not hold. */
  failed: 1,
  /** Usage, configuration or validation. */
  mistakes: 2,
  /** Some attempts could not be made or judged, or the budget was spent. */
  incomplete: 3,
  /** A comparison that could not say. */
  inconclusive: 4,
  /** Nothing was found or selected. */
  nothing: 5,
  /** A bug of ours. */
  bug: 70,
  /** Ended by a signal. */
  hangup: 129,
  interrupt: 130,
  quit: 131,
  terminate: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Something that the user asked for besides could not be done: what is worse than that stays. */
export function withMistake(code: ExitCode): ExitCode {
  return code === EXIT.ok || code === EXIT.failed ? EXIT.mistakes : code
}
