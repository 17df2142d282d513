/** How deep values may be nested, in every format and through aliases too. */
export const MAX_DEPTH = 100
