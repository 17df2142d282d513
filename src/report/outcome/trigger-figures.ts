import { clusterShare, type SharePart } from '../../lib/statistics/cluster-share.ts'
import { boundedMean, type Interval } from '../../lib/statistics/intervals.ts'
import type { SkillTriggers, TriggerQuery } from './skill-triggers.ts'

/** A query with what its interval needs. */
export interface ClusteredQuery extends TriggerQuery {
  /** Queries of one cluster are not independent. */
  readonly cluster: string
}

type Figures = Pick<
  SkillTriggers,
  'precision' | 'precision_interval' | 'recall' | 'recall_interval' | 'f1' | 'f1_interval' | 'limits'
>

/**
 * Precision, recall and F1 with queries as units: each query counts once, by its trigger rate, however often it was
 * asked. Otherwise, a rerun of failed queries would give these more weight.
 */
export function figuresOf(queries: readonly ClusteredQuery[]): Figures {
  const units = unitsOf(queries)
  const used = clusterShare(units.map(unit => part(unit, unit.used, unit.is_wanted ? unit.used : 0, unit.triggered)))
  const wanted = clusterShare(
    units.filter(({ is_wanted }) => is_wanted).map(unit => part(unit, unit.weight, unit.used, unit.judged)),
  )
  // F1 is 2J/(1 + J) of the share J of wanted use among all answers that use the skill or should.
  const either = clusterShare(
    units.map(unit =>
      unit.is_wanted ? part(unit, unit.weight, unit.used, unit.judged) : part(unit, unit.used, 0, unit.triggered),
    ),
  )
  const showsUnwanted = units.some(({ is_wanted }) => !is_wanted)
  const recall_interval = wanted?.interval
  const isF1Known = recall_interval !== undefined && showsUnwanted
  return {
    precision: used?.share ?? null,
    precision_interval: showsUnwanted ? used?.interval : undefined,
    recall: wanted?.share ?? null,
    recall_interval,
    f1: f1Of(units),
    f1_interval: isF1Known ? f1Interval(either?.interval) : undefined,
    limits: limitsOf(units),
  }
}

/** A query that was judged. */
interface Unit {
  readonly is_wanted: boolean
  readonly cluster: string
  readonly judged: number
  readonly triggered: number
  /** 1, or the number of answers if all queries have the same: the shares are equal, and exact. */
  readonly weight: number
  /** How much of the weight uses the skill. */
  readonly used: number
}

function unitsOf(queries: readonly ClusteredQuery[]): Unit[] {
  const judged = queries.filter(query => query.judged > 0)
  const isEven = new Set(judged.map(query => query.judged)).size === 1
  return judged.map(query => ({
    is_wanted: query.should_trigger,
    cluster: query.cluster,
    judged: query.judged,
    triggered: query.triggered,
    weight: isEven ? query.judged : 1,
    used: isEven ? query.triggered : query.triggered / query.judged,
  }))
}

function part({ cluster }: Unit, size: number, hits: number, answers: number): SharePart {
  return { cluster, size, hits, answers }
}

function f1Of(units: readonly Unit[]): number | null {
  let [right, whole] = [0, 0]
  for (const { is_wanted, weight, used } of units) {
    if (is_wanted) right += 2 * used
    whole += is_wanted ? weight + used : used
  }
  return whole === 0 ? null : Math.min(1, right / whole)
}

function f1Interval(interval: Interval | undefined): Interval | undefined {
  const f1 = (share: number) => (2 * share) / (1 + share)
  return interval && { low: f1(interval.low), high: f1(interval.high) }
}

/** What the figures cannot show, in words. */
function limitsOf(units: readonly Unit[]): string[] {
  const wanted = countClusters(units.filter(({ is_wanted }) => is_wanted))
  const unwanted = countClusters(units.filter(({ is_wanted }) => !is_wanted))
  const users = countClusters(units.filter(({ triggered }) => triggered > 0))
  const distinct = countClusters(units)
  if (units.length === 0) return ['no query was judged']
  return [
    ...(wanted === 0 ? ['no judged query should use the skill: recall is unknown, and F1 says nothing'] : []),
    ...(wanted === 1 ? ['only one query should use the skill: recall and F1 have no interval'] : []),
    ...(unwanted === 0
      ? ['no judged query should leave the skill unused: precision and F1 say nothing about unwanted use']
      : []),
    ...(unwanted === 1
      ? ['only one query should leave the skill unused: precision and F1 say little about unwanted use']
      : []),
    ...(users === 0 ? ['the skill was never used: precision is unknown'] : []),
    ...(users === 1 ? ['only one query used the skill: precision has no interval'] : []),
    ...(distinct < units.length
      ? [`${units.length} queries are ${distinct} in intervals: those with the same input or cluster count as one`]
      : []),
  ]
}

function countClusters(units: readonly Unit[]): number {
  return new Set(units.map(({ cluster }) => cluster)).size
}

/** The interval of a trigger rate over the trials of one query; undefined for a single answer. */
export function rateInterval({ triggered, judged }: Pick<TriggerQuery, 'triggered' | 'judged'>): Interval | undefined {
  if (judged < 2) return undefined
  const values = Array.from({ length: judged }, (_, index) => Number(index < triggered))
  return boundedMean(values, { isRate: true }).interval
}
