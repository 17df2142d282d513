/** The value of pairing a row with a column; 0 if they must not be paired. */
type Worth = (row: number, column: number) => number

/** Pairs rows with columns, each at most once, for the highest total value. */
export function bestAssignment(rows: number, columns: number, worth: Worth): (number | undefined)[] {
  const simple = firstBest(rows, columns, worth)
  if (simple) return simple
  const table = new Table(rows, columns, worth)
  for (let row = 0; row < rows; row++) table.place(row)
  return table.columns()
}

/** Gives each row its best free column; undefined if that leaves a row without one of its best. */
function firstBest(rows: number, columns: number, worth: Worth): (number | undefined)[] | undefined {
  const taken = new Set<number>()
  const assigned: (number | undefined)[] = []
  for (let row = 0; row < rows; row++) {
    let most = 0
    let column: number | undefined
    for (let other = 0; other < columns; other++) {
      const own = worth(row, other)
      if (own < most || own === 0) continue
      if (own > most) column = undefined
      most = own
      if (!taken.has(other)) column ??= other
    }
    if (most > 0 && column === undefined) return undefined
    if (column !== undefined) taken.add(column)
    assigned.push(column)
  }
  return assigned
}

/** The Hungarian algorithm: adds rows one by one along the cheapest augmenting path. */
class Table {
  readonly #worth: Worth
  readonly #rows: number
  readonly #columns: number
  /** The potentials of rows and columns: the reduced cost of a pair is never negative. */
  readonly #paid: Float64Array
  readonly #price: Float64Array
  /** The row of each column, or -1. After the real columns, each row has a dummy column of value 0. */
  readonly #rowOf: Int32Array

  constructor(rows: number, columns: number, worth: Worth) {
    this.#worth = worth
    this.#rows = rows
    this.#columns = columns
    this.#paid = new Float64Array(rows)
    this.#price = new Float64Array(columns + rows)
    this.#rowOf = new Int32Array(columns + rows).fill(-1)
  }

  place(row: number): void {
    const size = this.#rowOf.length
    const cost = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
    const before = new Int32Array(size).fill(-1)
    const reached: number[] = []
    const isReached = new Uint8Array(size)
    let from = row
    let column = -1
    do {
      if (column >= 0) {
        reached.push(column)
        isReached[column] = 1
        from = at(this.#rowOf, column)
      }
      const next = this.#nearest(from, column, cost, before, isReached)
      this.#pay(row, at(cost, next), reached, cost, isReached)
      column = next
    } while (at(this.#rowOf, column) >= 0)
    for (; column >= 0; column = at(before, column)) {
      const previous = at(before, column)
      this.#rowOf[column] = previous >= 0 ? at(this.#rowOf, previous) : row
    }
  }

  columns(): (number | undefined)[] {
    const assigned: (number | undefined)[] = Array.from({ length: this.#rows })
    for (let column = 0; column < this.#columns; column++) {
      const row = at(this.#rowOf, column)
      if (row >= 0 && this.#worth(row, column) > 0) assigned[row] = column
    }
    return assigned
  }

  /**
   * Relaxes the edges of a row and returns the cheapest column not reached yet. Prefers a free column among equals,
   * which ends the search.
   */
  #nearest(row: number, via: number, cost: Float64Array, before: Int32Array, isReached: Uint8Array): number {
    let nearest = -1
    for (let column = 0; column < cost.length; column++) {
      if (isReached[column]) continue
      const worth = column < this.#columns ? this.#worth(row, column) : 0
      const reduced = -worth - at(this.#paid, row) - at(this.#price, column)
      if (reduced < at(cost, column)) {
        cost[column] = reduced
        before[column] = via
      }
      const more = nearest < 0 ? -1 : at(cost, column) - at(cost, nearest)
      if (more < 0 || (more === 0 && this.#isFree(column) && !this.#isFree(nearest))) nearest = column
    }
    return nearest
  }

  #isFree(column: number): boolean {
    return at(this.#rowOf, column) < 0
  }

  #pay(row: number, step: number, reached: readonly number[], cost: Float64Array, isReached: Uint8Array): void {
    this.#paid[row] = at(this.#paid, row) + step
    for (const column of reached) {
      const owner = at(this.#rowOf, column)
      this.#paid[owner] = at(this.#paid, owner) + step
      this.#price[column] = at(this.#price, column) - step
    }
    for (let column = 0; column < cost.length; column++) {
      if (!isReached[column]) cost[column] = at(cost, column) - step
    }
  }
}

function at(numbers: Float64Array | Int32Array, index: number): number {
  return numbers[index] as number
}

/** Pairs rows with columns in order, as in a longest common subsequence, for the highest total value. */
export function inOrderMatch(
  rows: number,
  columns: number,
  worth: (row: number, column: number) => number,
): (number | undefined)[] {
  const width = columns + 1
  // The highest total from a row and a column on.
  const best = new Float64Array((rows + 1) * width)
  const from = (row: number, column: number) => best[row * width + column] as number
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      const skipped = Math.max(from(row + 1, column), from(row, column + 1))
      best[row * width + column] = Math.max(skipped, worth(row, column) + from(row + 1, column + 1))
    }
  }
  const matched: (number | undefined)[] = Array.from({ length: rows })
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (from(row, column) === from(row + 1, column)) row++
    else if (from(row, column) === from(row, column + 1)) column++
    else matched[row++] = column++
  }
  return matched
}
