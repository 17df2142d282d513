import type { Interval } from '../../lib/statistics/intervals.ts'

/** How often a skill was used on a target, compared with the expectation. */
export interface SkillTriggers {
  readonly skill: string
  readonly target: string
  /** Present if the target is the control arm of all queries. */
  readonly is_control?: true
  /** Answers that used it, as expected. */
  readonly tp: number
  /** Used, but should not be. */
  readonly fp: number
  /** Not used, as expected. */
  readonly tn: number
  /** Not used, but should be. */
  readonly fn: number
  /** Checks without a judgement, not included in these numbers. */
  readonly unjudged: number
  /** Attempts without an answer, except for tests known to be about another skill. */
  readonly unanswered: number
  /** With each query counted once, by its trigger rate; null if the denominator is 0. */
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
  /** Undefined if the denominator is 0 or a single query decides it. Queries with the same input form a cluster. */
  readonly precision_interval: Interval | undefined
  readonly recall_interval: Interval | undefined
  readonly f1_interval: Interval | undefined
  /** What the figures cannot show, and why. */
  readonly limits: readonly string[]
  /** Never used although it should be: probably the agent does not know the skill. A control arm need not know it. */
  readonly harness_suspect: boolean
  /** In the order of the plan. */
  readonly queries: readonly TriggerQuery[]
}

/** A test over all its trials. */
export interface TriggerQuery {
  readonly suite: string
  readonly file: string
  readonly test_id: string
  /** The input, if the test id is only a number. */
  readonly text?: string
  readonly should_trigger: boolean
  readonly triggered: number
  readonly judged: number
  readonly unjudged: number
  /** Attempts without an answer, which count in no rate. */
  readonly unanswered: number
  /** `triggered` of `judged`. */
  readonly rate: number | null
  /** Undefined for fewer than two answers. */
  readonly rate_interval: Interval | undefined
  /** Minimum rate at which the skill counts as used. */
  readonly threshold: number
  /** Whether the use of the skill matches the expectation; null without a rate. */
  readonly pass: boolean | null
}
