/** A score from here on is a pass, for a test and for a check. */
export const PASS_MARK = 0.8

/** A score from here on, and below the pass mark, is borderline. */
export const BORDERLINE_MARK = 0.6
