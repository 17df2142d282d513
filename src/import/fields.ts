/** Keys and values of a part of a suite. */
export type Fields = Readonly<Record<string, unknown>>
