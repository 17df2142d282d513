import type { AggregateCase, AggregateGrader, AggregateRun, GraderResult } from '../../model/aggregate-result.ts'

/** A grader of a case, and what it found in a run; undefined if it was not used there. */
export interface MatchedGrader {
  readonly definition: AggregateGrader
  readonly result: GraderResult | undefined
}

/** Matches the graders of a run with those of its case, in order; undefined if the case does not have one of them. */
export function matchGraders({ graders }: AggregateCase, run: AggregateRun): MatchedGrader[] | undefined {
  let next = 0
  const matched = graders.map((definition): MatchedGrader => {
    const result = run.graders[next]
    if (result?.name !== definition.name) return { definition, result: undefined }
    next++
    return { definition, result }
  })
  return next === run.graders.length ? matched : undefined
}
