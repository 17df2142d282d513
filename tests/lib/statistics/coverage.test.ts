import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { boundedMean } from '../../../src/lib/statistics/intervals.ts'
import { pairedEvidence } from '../../../src/lib/statistics/paired.ts'

const RUNS = 400

type Random = () => number

interface World {
  readonly title: string
  readonly truth: number
  readonly n: number
  readonly isRate: boolean
  readonly draw: (random: Random) => number
}

const coin = (p: number) => (random: Random) => Number(random() < p)

/** The second largest of nine: Beta(8, 2). */
const judge = (random: Random) => Array.from({ length: 9 }, random).sort((one, other) => other - one)[1] ?? 0

const WORLDS: readonly World[] = [
  { title: 'a rate of 0.95 in 8', truth: 0.95, n: 8, isRate: true, draw: coin(0.95) },
  { title: 'a rate of 0.95 in 20', truth: 0.95, n: 20, isRate: true, draw: coin(0.95) },
  { title: 'scores of 0 and 1', truth: 0.95, n: 20, isRate: false, draw: coin(0.95) },
  {
    title: 'means of three trials',
    truth: 0.95,
    n: 20,
    isRate: false,
    draw: random => [0, 0, 0].reduce((sum, _) => sum + coin(0.95)(random), 0) / 3,
  },
  { title: 'scores of a judge', truth: 0.8, n: 20, isRate: false, draw: judge },
  {
    title: 'mostly 1, sometimes a half, rarely 0',
    truth: 0.9,
    n: 20,
    isRate: false,
    draw: random => {
      const part = random()
      return part < 0.85 ? 1 : part < 0.95 ? 0.5 : 0
    },
  },
  {
    title: 'smooth scores, and 3 of 100 are 0',
    truth: 0.97 * 0.9,
    n: 20,
    isRate: false,
    draw: random => (random() < 0.03 ? 0 : 0.87 + 0.06 * random()),
  },
]

describe('the interval of a mean in 0..1', () => {
  it.each(WORLDS)('contains the truth in nine of ten runs: $title', ({ truth, n, isRate, draw }) => {
    const random = seededRandom(20_261_116)
    const covered = shareOf(() => {
      const values = Array.from({ length: n }, () => draw(random))
      return contains(boundedMean(values, { isRate }).interval, truth)
    })
    expect(covered).toBeGreaterThanOrEqual(0.9)
  })

  it.each([
    { title: '20 of 5', sizes: equal(20, 5), together: 0.2, p: 0.8 },
    { title: '20 of 5, almost all pass', sizes: equal(20, 5), together: 0.5, p: 0.95 },
    { title: '6 of 5', sizes: equal(6, 5), together: 0.5, p: 0.8 },
    { title: '1, 2, 4, 8 and 16', sizes: [1, 2, 4, 8, 16], together: 0.5, p: 0.8 },
    { title: '40 alone and 1 of 40', sizes: [...equal(40, 1), 40], together: 0.2, p: 0.5 },
    { title: '2 of 20', sizes: equal(2, 20), together: 0.5, p: 0.5 },
  ])('contains the truth in nine of ten runs: clusters $title', ({ sizes, together, p }) => {
    const random = seededRandom(20_261_117)
    const clusters = namesOf(sizes)
    for (const isRate of [true, false]) {
      const covered = shareOf(() => {
        const values = sizes.flatMap(size => clusterOf(size, together, p, random))
        return contains(boundedMean(values, { clusters, isRate }).interval, p)
      })
      expect(covered).toBeGreaterThanOrEqual(0.9)
    }
  })
})

describe('the evidence of differences', () => {
  // The cluster-robust standard error without weights is wrong in 22 % of the runs of the last case, and in 12 % of the second.
  it.each([
    { title: '20 of 5', sizes: equal(20, 5) },
    { title: '20 alone and 3 of 10', sizes: [...equal(20, 1), ...equal(3, 10)] },
    { title: '40 alone and 1 of 40', sizes: [...equal(40, 1), 40] },
  ])('finds a difference that does not exist in at most one of twelve runs: clusters $title', ({ sizes }) => {
    const random = seededRandom(20_261_118)
    const clusters = namesOf(sizes)
    const side = () => sizes.flatMap(size => clusterOf(size, 0.5, 0.5, random))
    const found = shareOf(() => {
      const [before, after] = [side(), side()]
      const differences = after.map((value, index) => value - (before[index] ?? 0))
      return (pairedEvidence(differences, { clusters, isBinary: false, margin: 0 }).p ?? 1) <= 0.05
    })
    expect(found).toBeLessThanOrEqual(1 / 12)
  })
})

function shareOf(isSo: () => boolean): number {
  let count = 0
  for (let run = 0; run < RUNS; run++) count += Number(isSo())
  return count / RUNS
}

function contains(interval: { low: number; high: number } | undefined, truth: number): boolean {
  return interval !== undefined && interval.low <= truth && truth <= interval.high
}

function equal(clusters: number, size: number): number[] {
  return new Array<number>(clusters).fill(size)
}

function namesOf(sizes: readonly number[]): string[] {
  return sizes.flatMap((size, index) => new Array<string>(size).fill(`c${index}`))
}

/** Draws passes with probability p and correlation `together`: each copies the draw of its cluster, or is drawn separately. */
function clusterOf(size: number, together: number, p: number, random: Random): number[] {
  const shared = coin(p)(random)
  return Array.from({ length: size }, () => (random() < Math.sqrt(together) ? shared : coin(p)(random)))
}
