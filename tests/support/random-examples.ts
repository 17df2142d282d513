/**
 * The number of random examples of a property: the first fifth of all of them. With ASSAY_ALL_EXAMPLES, as on the newest Node
 * in CI, all of them. Examples are the same on every machine.
 */
export function examples(all: number): number {
  return process.env['ASSAY_ALL_EXAMPLES'] ? all : Math.ceil(all / 5)
}

/** The size of a huge input: a fifth of it, and all of it with ASSAY_ALL_EXAMPLES. */
export function hugeSize(all: number): number {
  return examples(all)
}
