/** The heights of the rows of a long table: measured where they were shown, estimated elsewhere. */
export class RowHeights {
  readonly #heights: Float64Array
  /** Where each row begins; the last one is the end. Undefined after a change. */
  #tops: Float64Array | undefined

  constructor(count: number, estimate: (index: number) => number) {
    this.#heights = new Float64Array(count)
    for (let index = 0; index < count; index++) this.#heights[index] = estimate(index)
  }

  get count(): number {
    return this.#heights.length
  }

  get total(): number {
    return this.top(this.count)
  }

  /** Where a row begins. */
  top(index: number): number {
    this.#tops ??= sumsOf(this.#heights)
    return this.#tops[Math.min(Math.max(0, index), this.count)] ?? 0
  }

  /** Stores a measured height, and returns the difference to the known one. */
  measure(index: number, height: number): number {
    const difference = height - (this.#heights[index] ?? height)
    // Browsers round differently at other zoom levels.
    if (Math.abs(difference) < 0.5) return 0
    this.#heights[index] = height
    this.#tops = undefined
    return difference
  }

  /** The row at a position. */
  indexAt(position: number): number {
    let [low, high] = [0, this.count - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.top(middle) <= position) low = middle
      else high = middle - 1
    }
    return Math.max(0, low)
  }

  /** The rows between two positions, with some more on either side: `first` to before `end`. */
  between(from: number, to: number, more: number): { readonly first: number; readonly end: number } {
    const first = Math.max(0, this.indexAt(from) - more)
    return { first, end: Math.min(this.count, this.indexAt(to) + 1 + more) }
  }
}

function sumsOf(heights: Float64Array): Float64Array {
  const sums = new Float64Array(heights.length + 1)
  let sum = 0
  for (let index = 0; index < heights.length; index++) {
    sum += heights[index] ?? 0
    sums[index + 1] = sum
  }
  return sums
}
