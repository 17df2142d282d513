/** Values that are not finite numbers. */
export const NOT_NUMBERS = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const

/** Values that are not counts. */
export const NOT_COUNTS = [...NOT_NUMBERS, -1, 0.5, 2 ** 53] as const

/** Values that are not strictly between 0 and 1. */
export const NOT_INSIDE = [...NOT_NUMBERS, -0.1, 0, 1, 1.1, 95] as const
