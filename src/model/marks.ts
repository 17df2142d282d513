/** A score from here on is a pass, for a test and for a check. */
export const PASS_MARK = 0.8
