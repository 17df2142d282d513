import { groupBy } from '../../lib/collections.ts'
import { withoutNullish } from '../../lib/objects.ts'
import { mean } from '../../lib/statistics/means.ts'
import { gradeSummary, timingOf } from '../skill-creator/run-files.ts'
import type { GuideRun } from './guide-runs.ts'

/** The figures of the runs in the folder. A figure that is not known of every run is left out. */
export function benchmarkOf(runs: readonly GuideRun[]): object {
  const sides = [...groupBy(runs, ({ side }) => side)].map(([side, group]) => ({
    side,
    figures: figuresOf(group),
    group,
  }))
  const first = sides.find(({ side }) => side === 'with_skill')
  const second = sides.find(({ side }) => side !== 'with_skill')
  const delta =
    first && second && arePaired(first.group, second.group) ? deltaOf(first.figures, second.figures) : undefined
  return {
    run_summary: {
      ...Object.fromEntries(sides.map(({ side, figures }) => [side, figures])),
      ...withoutNullish({ delta }),
    },
  }
}

type Figure = { readonly mean: number; readonly stddev?: number }
type Figures = Readonly<Partial<Record<'pass_rate' | 'time_seconds' | 'tokens', Figure>>>

function figuresOf(runs: readonly GuideRun[]): Figures {
  const timings = runs.map(({ judged }) => timingOf(judged.result))
  return withoutNullish({
    pass_rate: figureOf(runs.map(({ judged }) => gradeSummary(judged).pass_rate)),
    time_seconds: figureOf(timings.map(({ total_duration_seconds }) => total_duration_seconds)),
    tokens: figureOf(timings.map(({ total_tokens }) => total_tokens)),
  })
}

function figureOf(values: readonly (number | undefined)[]): Figure | undefined {
  const known = values.filter(value => value !== undefined)
  if (known.length < values.length || known.length === 0) return undefined
  const average = mean(known)
  // The deviation of one value is unknown, not 0.
  if (known.length === 1) return { mean: average }
  const squares = known.reduce((sum, value) => sum + (value - average) ** 2, 0)
  return { mean: average, stddev: Math.sqrt(squares / (known.length - 1)) }
}

/** Whether both sides have the same tests: otherwise a difference would compare different ones. */
function arePaired(first: readonly GuideRun[], second: readonly GuideRun[]): boolean {
  const idsOf = (runs: readonly GuideRun[]) => new Set(runs.map(({ judged }) => judged.folder.id))
  const [one, other] = [idsOf(first), idsOf(second)]
  return one.size === other.size && [...one].every(id => other.has(id))
}

function deltaOf(first: Figures, second: Figures): Readonly<Record<string, number>> {
  const keys = ['pass_rate', 'time_seconds', 'tokens'] as const
  return Object.fromEntries(
    keys.flatMap(key => {
      const [one, other] = [first[key], second[key]]
      return one && other ? [[key, one.mean - other.mean] as const] : []
    }),
  )
}
