// Apart from the schema of answers: the page of the HTML report uses these, and must not contain a schema library.

/** Maximum size of an answer. */
export const LARGEST_ANSWER_BYTES = 10_000_000

/** Maximum depth of a value in an answer or in the output of a judge. */
export const DEEPEST_ANSWER = 200

/** Maximum depth of a record: an answer, or nested checks with the output of judges. */
export const DEEPEST_RECORD = 2 * DEEPEST_ANSWER

export const TOO_DEEP = `is nested more than ${DEEPEST_ANSWER} levels deep`
