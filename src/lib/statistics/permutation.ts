import { groupBy } from '../collections.ts'
import { seededRandom } from '../seeded-random.ts'
import { assertCount, assertNumbers, assertProbability } from './assertions.ts'
import { hypergeometric } from './distributions.ts'
import { mean } from './means.ts'

/** The values in 0..1 of the attempts at one test, by side. */
type Sides = readonly [before: readonly number[], after: readonly number[]]

/** Draws again, and returns the summed difference of one or several tests. */
type Redraw = () => number

/** Fixed, so that equal values give equal p values. */
const SEED = 19

/** Smaller differences are rounding errors. */
const ROUNDING = 1e-9

/** The p value of the mean difference when the attempts at each test are assigned to the sides at random. */
export function permutationWithin(tests: readonly Sides[], draws = 9999): number {
  assertDraws(tests, draws)
  const seen = Math.abs(mean(tests.map(([before, after]) => mean(after) - mean(before))))
  const redraws = redrawsOf(tests.filter(varies), seededRandom(SEED))
  let reached = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0
    for (const redraw of redraws) sum += redraw()
    if (Math.abs(sum) / tests.length >= seen - ROUNDING) reached++
  }
  return (1 + reached) / (draws + 1)
}

function assertDraws(tests: readonly Sides[], draws: number): void {
  assertCount('The number of draws', draws)
  if (draws === 0) throw new RangeError('None are drawn: the number of draws is 0.')
  if (tests.length === 0) throw new RangeError('There are no tests.')
  for (const values of tests.flat()) {
    assertNumbers(values)
    for (const value of values) assertProbability('A value', value)
  }
}

/** Tests with equal values have no difference in any permutation. */
function varies(sides: Sides): boolean {
  const [first, ...others] = sides.flat()
  return others.some(value => value !== first)
}

/** The number of tests drawn together: more need fewer draws and a longer probability table. */
const AT_ONCE = 50

/** Draws tests with equal numbers of attempts and passes together, by their total of passes. */
function redrawsOf(tests: readonly Sides[], random: () => number): Redraw[] {
  const isBinary = (sides: Sides) => sides.flat().every(value => value === 0 || value === 1)
  const alike = groupBy(tests.filter(isBinary), sides => `${sides.map(({ length }) => length)} ${sumOf(sides.flat())}`)
  const redraws = tests.filter(sides => !isBinary(sides)).map(sides => redrawValues(sides, random))
  for (const group of alike.values()) {
    for (let left = group.length; left > 0; left -= AT_ONCE) {
      redraws.push(redrawPasses(group[0], Math.min(left, AT_ONCE), random))
    }
  }
  return redraws
}

/** Draws the passes on the smaller side of `times` tests like this one. */
function redrawPasses(sides: Sides, times: number, random: () => number): Redraw {
  const { few, start, slope } = differenceBySum(sides)
  const values = sides.flat()
  const { least, chances } = hypergeometric(sumOf(values), few, values.length)
  let together = chances
  for (let more = 1; more < times; more++) together = chancesOfSum(together, chances)
  const limits = runningSums(together)
  return () => times * start + slope * (times * least + placeOf(random(), limits))
}

/** Draws the values of the smaller side by a partial shuffle; starting from the last draw does not bias it. */
function redrawValues(sides: Sides, random: () => number): Redraw {
  const { few, start, slope } = differenceBySum(sides)
  const deck = Float64Array.from(sides.flat())
  return () => {
    let sum = 0
    for (let place = 0; place < few; place++) {
      const chosen = place + Math.floor(random() * (deck.length - place))
      const value = deck[chosen] ?? 0
      deck[chosen] = deck[place] ?? 0
      deck[place] = value
      sum += value
    }
    return start + slope * sum
  }
}

/** The difference of the means as start + slope · (sum of the smaller side, which has `few` values). */
function differenceBySum([before, after]: Sides): { few: number; start: number; slope: number } {
  const [few, many] = [Math.min(before.length, after.length), Math.max(before.length, after.length)]
  const sign = after.length === few ? 1 : -1
  return { few, start: (-sign * sumOf([...before, ...after])) / many, slope: sign * (1 / few + 1 / many) }
}

/** The distribution of the sum of two independent counts. */
function chancesOfSum(one: readonly number[], other: readonly number[]): number[] {
  const chances = new Array<number>(one.length + other.length - 1).fill(0)
  for (const [index, chance] of one.entries()) {
    for (const [more, factor] of other.entries()) chances[index + more] = (chances[index + more] ?? 0) + chance * factor
  }
  return chances
}

function runningSums(chances: readonly number[]): Float64Array {
  let sum = 0
  return Float64Array.from(chances, chance => {
    sum += chance
    return sum
  })
}

/** The number of ascending limits up to the value; ignores the last one, which is 1 except for rounding. */
function placeOf(value: number, limits: Float64Array): number {
  let [low, high] = [0, limits.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((limits[middle] ?? 1) <= value) low = middle + 1
    else high = middle
  }
  return low
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}
