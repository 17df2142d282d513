import { groupBy } from '../../../lib/collections.ts'
import { mean } from '../../../lib/statistics/means.ts'
import type { ResultFacts } from '../../../model/run-reader.ts'
import type { Measured, TuningQuery } from '../../../model/tuning.ts'
import { rateOf } from '../../../report/outcome/estimates.ts'
import type { Failure } from './proposal-prompt.ts'

type Attempt = Pick<ResultFacts, 'test_id' | 'target' | 'verdict'>

/** The name of the target with a candidate: 0 is the description as it is. */
export function targetName(candidate: number): string {
  return candidate === 0 ? 'current' : `candidate-${candidate}`
}

/** How a description did: the mean over queries of the share of right attempts. An error is not right. */
export function measuredOf(
  candidate: number,
  queries: readonly TuningQuery[],
  attempts: Iterable<Attempt>,
): Measured | undefined {
  const shares = sharesOf(candidate, attempts)
  const known = queries.flatMap(query => {
    const share = shares.get(String(query.id))
    return share === undefined ? [] : [{ ...query, ...share }]
  })
  if (known.length < queries.length) return undefined
  const of = (kind: boolean) => known.filter(({ should_trigger }) => should_trigger === kind)
  const { interval } = rateOf(
    known.map(({ right }) => right),
    known.map(() => undefined),
  )
  return {
    all: { ...shareOf(known), ...(interval ? { interval: { low: interval.low, high: interval.high } } : {}) },
    should_trigger: shareOf(of(true)),
    should_not_trigger: shareOf(of(false)),
    errors: known.reduce((sum, { errors }) => sum + errors, 0),
  }
}

function shareOf(known: readonly { readonly right: number }[]): Measured['should_trigger'] {
  return { right: known.length === 0 ? 0 : mean(known.map(({ right }) => right)), queries: known.length }
}

interface Share {
  readonly right: number
  readonly errors: number
}

function sharesOf(candidate: number, attempts: Iterable<Attempt>): Map<string, Share> {
  const name = targetName(candidate)
  const own = [...attempts].filter(({ target }) => target === name)
  return new Map(
    [...groupBy(own, ({ test_id }) => test_id)].map(([id, group]) => {
      const count = (wanted: string) => group.filter(({ verdict }) => verdict === wanted).length
      return [id, { right: count('pass') / group.length, errors: count('error') }]
    }),
  )
}

/** The queries that a description got wrong. Those without an answer say nothing about it. */
export function failuresOf(candidate: number, queries: readonly TuningQuery[], attempts: Iterable<Attempt>): Failure[] {
  const answered = [...attempts].filter(({ verdict }) => verdict !== 'error')
  const shares = sharesOf(candidate, answered)
  return queries.flatMap(({ id, query, should_trigger }) => {
    const { right } = shares.get(String(id)) ?? { right: 1 }
    return right === 1 ? [] : [{ query, should_trigger, right }]
  })
}

/** A description with its result on the training queries. */
export interface Ranked {
  readonly number: number
  readonly description: string
  readonly measured: Measured
}
