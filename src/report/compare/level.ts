/** The chance of a false alarm that a verdict allows, worse and better together. */
export const LEVEL = 0.05

/**
 * How many tests, or clusters, must differ for a verdict. Five that agree have p = 1/32 by mid-p, and four 1/16, which is
 * above the level. t does not know that a few equal differences may be coins that fell the same way: 2/64 for six of them.
 */
export function leastDiffering({ is_binary }: { readonly is_binary: boolean }): number {
  return is_binary ? 5 : 6
}
