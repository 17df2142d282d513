import { mean } from '../lib/statistics/means.ts'
import type { AggregateCase, AggregateResult, AggregateRun, GraderResult } from './aggregate-result.ts'

/** Whether a run of ours has a score. The client counts runs with an error as 0, and so do the figures of its files. */
export function isGraded({ error }: AggregateRun): boolean {
  return error === null
}

type CaseFigures = AggregateCase['aggregates']

/** The figures of a case by its runs; undefined where no run counts. `passRate` is the share of runs with a score of 1. */
export function caseFigures({ arms }: Pick<AggregateCase, 'arms'>, isCounted: (run: AggregateRun) => boolean) {
  const [first, second] = [arms.with, arms.without ?? []].map(runs => {
    const scores = runs.filter(isCounted).map(({ score }) => score)
    if (scores.length === 0) return undefined
    return { score: mean(scores), passRate: scores.filter(score => score >= 1).length / scores.length }
  })
  return {
    score: first?.score,
    passRate: first?.passRate,
    scoreWithout: second?.score,
    passRateWithout: second?.passRate,
    delta: first && second && first.score - second.score,
  } satisfies CaseFigures
}

/** The figures of a file by those of its cases, except for the number of passed cases. */
export function suiteFigures(cases: readonly Pick<AggregateCase, 'aggregates'>[]) {
  const meanOf = (key: keyof CaseFigures) => {
    const values = cases.flatMap(({ aggregates }) => (typeof aggregates[key] === 'number' ? [aggregates[key]] : []))
    return values.length === 0 ? undefined : mean(values)
  }
  return {
    casesTotal: cases.length,
    overallScore: meanOf('score'),
    overallPassRate: meanOf('passRate'),
    meanDelta: meanOf('delta'),
  } satisfies Partial<AggregateResult['aggregates']>
}

/** Whether a required check was missed, which only files of ours tell. */
export function missesRequiredGrader({ passed, assay }: GraderResult): boolean {
  return typeof assay?.required === 'number' && !passed
}
