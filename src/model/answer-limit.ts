/** An answer that is larger is no answer. */
export const LARGEST_ANSWER_BYTES = 10_000_000
