import { groupBy } from '../../lib/collections.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'

/** How values are distributed on each target; undefined if none is known. */
export interface Distributions {
  /** Of tests. */
  readonly scores: Distribution | undefined
  /** Of attempts, in milliseconds. */
  readonly durations: Distribution | undefined
  /** Of attempts, in US dollars. */
  readonly costs: Distribution | undefined
}

/** Histograms with common steps. */
export interface Distribution {
  /** The bounds of the steps, one more than there are steps. */
  readonly bounds: readonly number[]
  /** Whether each step is a factor wide. */
  readonly is_logarithmic: boolean
  readonly targets: readonly {
    readonly target: string
    readonly counts: readonly number[]
    readonly median: number
  }[]
}

export function distributionsOf(tests: readonly TestOutcome[], facts: readonly ResultFacts[]): Distributions {
  return {
    scores: distributionOf(
      tests,
      ({ score }) => score ?? undefined,
      () => SCORES,
    ),
    durations: distributionOf(facts, ({ duration_ms }) => duration_ms, scaleOf),
    costs: distributionOf(facts, ({ cost_usd }) => cost_usd, scaleOf),
  }
}

type Scale = Pick<Distribution, 'bounds' | 'is_logarithmic'>

const STEPS = 20

const SCORES: Scale = { bounds: Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS), is_logarithmic: false }

function distributionOf<Item extends { readonly target: string }>(
  items: readonly Item[],
  valueIn: (item: Item) => number | undefined,
  scale: (values: readonly number[]) => Scale,
): Distribution | undefined {
  const known = items.flatMap(item => {
    const value = valueIn(item)
    return value === undefined ? [] : [{ target: item.target, value }]
  })
  if (known.length === 0) return undefined
  const { bounds, is_logarithmic } = scale(known.map(({ value }) => value))
  const targets = [...groupBy(known, ({ target }) => target)].map(([target, own]) => {
    const values = own.map(({ value }) => value).sort((a, b) => a - b)
    return { target, counts: countsIn(bounds, values), median: values[Math.ceil(values.length / 2) - 1] ?? 0 }
  })
  return { bounds, is_logarithmic, targets }
}

/** Counts sorted values; the last step includes its upper bound. */
function countsIn(bounds: readonly number[], values: readonly number[]): number[] {
  const counts = bounds.slice(1).map(() => 0)
  let step = 0
  for (const value of values) {
    while (step < counts.length - 1 && value >= (bounds[step + 1] ?? 0) - 1e-12) step++
    counts[step] = (counts[step] ?? 0) + 1
  }
  return counts
}

/** Values that differ by more than this factor are on a logarithmic scale. */
const WIDE = 30

/** Logarithmic steps between powers of ten, or linear ones from 0 to a round number. */
function scaleOf(values: readonly number[]): Scale {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
  const most = values.reduce((high, value) => Math.max(high, value), 0)
  if (least <= 0 || most / least <= WIDE) return linearScale(most)
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  const perPower = Math.max(2, Math.round(STEPS / (to - from)))
  const steps = (to - from) * perPower
  const bounds = Array.from({ length: steps + 1 }, (_, step) => rounded(10 ** (from + step / perPower)))
  return { bounds, is_logarithmic: true }
}

function linearScale(most: number): Scale {
  const power = 10 ** Math.floor(Math.log10(most || 1))
  const top = ([1, 2, 4, 5, 10].find(times => times * power >= most) ?? 10) * power
  return {
    bounds: Array.from({ length: STEPS + 1 }, (_, step) => rounded((top * step) / STEPS)),
    is_logarithmic: false,
  }
}

/** Twelve digits, so that bounds are the same on every machine. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
