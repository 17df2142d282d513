/** An answer that is larger is no answer. */
export const LARGEST_ANSWER_BYTES = 10_000_000

/** Most levels of lists and mappings in a value of an answer, or of what a judge reports. */
export const DEEPEST_ANSWER = 200

/** Most levels of a record: an answer, and the checks inside checks around what judges report. */
export const DEEPEST_RECORD = 2 * DEEPEST_ANSWER

export const TOO_DEEP = `is nested more than ${DEEPEST_ANSWER} levels deep`
