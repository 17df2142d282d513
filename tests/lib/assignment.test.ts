import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestAssignment, inOrderMatch } from '../../src/lib/assignment.ts'
import { examples } from '../support/random-examples.ts'

/** The value of each pair of row and column; sums are exact. */
const worths = (worth: fc.Arbitrary<number>) =>
  fc.tuple(fc.nat(5), fc.nat(5)).chain(([rows, columns]) =>
    fc.record({
      columns: fc.constant(columns),
      table: fc.array(fc.array(worth, { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    }),
  )

const drawn = fc.oneof(
  worths(fc.constantFrom(0, 1)),
  worths(fc.constantFrom(0, 0, 1, 2, 3)),
  worths(fc.nat(64).map(eighths => eighths / 8)),
)

type Assigned = readonly (number | undefined)[]

describe.each([
  ['bestAssignment', bestAssignment, false],
  ['inOrderMatch', inOrderMatch, true],
] as const)('%s', (_, assign, inOrder) => {
  it('has the highest value of all assignments', () => {
    fc.assert(
      fc.property(drawn, ({ table, columns }) => {
        const assigned = assign(table.length, columns, at(table))
        expect(total(table, assigned)).toBe(bestTotal(table, columns, inOrder))
      }),
      { numRuns: examples(2000) },
    )
  })

  it('gives each row at most one column, which no other row has', () => {
    fc.assert(
      fc.property(drawn, ({ table, columns }) => {
        const assigned = assign(table.length, columns, at(table))
        expect(assigned).toHaveLength(table.length)
        const taken = assigned.filter(column => column !== undefined)
        expect(new Set(taken).size).toBe(taken.length)
        if (inOrder) expect(taken).toEqual([...taken].sort((a, b) => a - b))
        assigned.forEach((column, row) => {
          if (column !== undefined) expect(at(table)(row, column)).toBeGreaterThan(0)
        })
      }),
      { numRuns: examples(1000) },
    )
  })

  it.each([
    [0, 0],
    [0, 3],
    [3, 0],
  ])('assigns nothing for %d rows and %d columns', (rows, columns) => {
    expect(assign(rows, columns, () => 1)).toEqual(Array.from({ length: rows }))
  })

  it('assigns all on the diagonal of a large table', () => {
    const size = 300
    const assigned = assign(size, size, (row, column) => (row === column ? 1 : 0))
    expect(assigned).toEqual(Array.from({ length: size }, (_, index) => index))
  })

  it('assigns as many as possible if all pairs are allowed', () => {
    expect(assign(200, 150, () => 1).filter(column => column !== undefined)).toHaveLength(150)
    expect(assign(150, 200, () => 1).filter(column => column !== undefined)).toHaveLength(150)
  })
})

it('moves a row to another column for one that has no alternative', () => {
  const fits = [[1, 1], [1]]
  expect(bestAssignment(2, 2, at(fits))).toEqual([1, 0])
})

it.each([
  ['one row too many', 301, 300],
  ['many rows too many', 400, 200],
])('evaluates each pair only a few times, with %s for equal columns', (_, rows, columns) => {
  let looks = 0
  const assigned = bestAssignment(rows, columns, (row, column) => {
    looks++
    return row % 3 === column % 3 ? 1 : 0
  })
  expect(assigned.filter(column => column !== undefined)).toHaveLength(columns)
  expect(looks).toBeLessThan(10 * rows * columns)
})

it('an assignment in order skips pairs that are out of order', () => {
  const calls = ['b', 'a', 'c']
  const matched = inOrderMatch(3, 3, (row, column) => ('abc'[row] === calls[column] ? 1 : 0))
  expect(matched.filter(column => column !== undefined)).toHaveLength(2)
})

function at(table: readonly (readonly number[])[]): (row: number, column: number) => number {
  return (row, column) => table[row]?.[column] ?? 0
}

function total(table: readonly (readonly number[])[], assigned: Assigned): number {
  return assigned.reduce<number>((sum, column, row) => sum + (column === undefined ? 0 : at(table)(row, column)), 0)
}

/** The best value of all possible assignments. */
function bestTotal(table: readonly (readonly number[])[], columns: number, inOrder: boolean): number {
  const best = (row: number, taken: readonly number[]): number => {
    if (row === table.length) return 0
    let most = best(row + 1, taken)
    for (let column = 0; column < columns; column++) {
      const isFree = inOrder ? taken.every(other => other < column) : !taken.includes(column)
      if (isFree) most = Math.max(most, at(table)(row, column) + best(row + 1, [...taken, column]))
    }
    return most
  }
  return best(0, [])
}
