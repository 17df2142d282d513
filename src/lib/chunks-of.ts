/** How many files are worked on at once. */
const SIZE = 16

/** Items in groups that are worked on at once, one group after another. */
export function chunksOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / SIZE) }, (_, index) =>
    items.slice(index * SIZE, (index + 1) * SIZE),
  )
}
