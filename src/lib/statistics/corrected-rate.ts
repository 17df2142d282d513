import { assertCount } from './assertions.ts'
import { normalQuantile } from './distributions.ts'
import { CONFIDENCE_LEVEL, type Interval } from './intervals.ts'

/** Verdicts of a judge against those of people on the same answers. */
export interface Confusion {
  /** Both pass the answer. */
  readonly true_pass: number
  /** The judge passes what people fail. */
  readonly false_pass: number
  /** The judge fails what people pass. */
  readonly false_fail: number
  /** Both fail the answer. */
  readonly true_fail: number
}

/** Numbers of answers that only the judge has seen. */
export interface JudgedOnly {
  readonly pass: number
  readonly fail: number
}

/** A pass rate as people would give it, estimated with a judge. */
export interface CorrectedRate {
  readonly value: number
  readonly interval: Interval
}

/** The rate with the parts of its interval. */
export interface PostStratifiedRate extends CorrectedRate {
  /** The centre of the interval: the value, with one label more of each kind in each stratum. */
  readonly centre: number
  readonly standard_error: number
}

const Z95 = normalQuantile((1 + CONFIDENCE_LEVEL) / 2)

/**
 * The rate by post-stratification: labels of answers from the same run, as many as wanted from what the judge passed and
 * from what it failed. Undefined without labels.
 */
export function postStratifiedRate(confusion: Confusion, judged: JudgedOnly): PostStratifiedRate | undefined {
  assertCounts(confusion, judged)
  const { answers, passShare: q, inPass, inFail } = strataOf(confusion, judged)
  if (inPass.labels + inFail.labels === 0) return undefined
  const centre = q * inPass.shrunk + (1 - q) * inFail.shrunk
  const isWhole = inPass.rate !== undefined && inFail.rate !== undefined
  const value = isWhole ? q * inPass.rate + (1 - q) * inFail.rate : centre
  const ofLabels = q ** 2 * varianceOf(inPass) + (1 - q) ** 2 * varianceOf(inFail)
  const ofAnswers = ((inPass.shrunk - inFail.shrunk) ** 2 * q * (1 - q)) / answers
  const standard_error = Math.sqrt(ofLabels + ofAnswers)
  return {
    value,
    centre,
    standard_error,
    interval: within(centre - Z95 * standard_error, centre + Z95 * standard_error),
  }
}

/** The number of labels for a half-width of the interval; undefined if no number is enough. */
export function labelsFor(halfWidth: number, confusion: Confusion, judged: JudgedOnly): number | undefined {
  assertCounts(confusion, judged)
  const { answers, passShare: q, inPass, inFail } = strataOf(confusion, judged)
  const ofAnswers = ((inPass.shrunk - inFail.shrunk) ** 2 * q * (1 - q)) / answers
  const left = (halfWidth / Z95) ** 2 - ofAnswers
  const spread = q * inPass.shrunk * (1 - inPass.shrunk) + (1 - q) * inFail.shrunk * (1 - inFail.shrunk)
  return left > 0 ? Math.ceil(spread / left) : undefined
}

/** What the judge passed, or what it failed: how much of it people pass. */
interface Stratum {
  readonly labels: number
  /** Undefined without labels. */
  readonly rate: number | undefined
  /** The rate with one label more of each kind. */
  readonly shrunk: number
}

function strataOf({ true_pass, false_pass, false_fail, true_fail }: Confusion, judged: JudgedOnly) {
  const answers = true_pass + false_pass + false_fail + true_fail + judged.pass + judged.fail
  return {
    answers,
    passShare: (true_pass + false_pass + judged.pass) / answers,
    inPass: stratum(true_pass, true_pass + false_pass),
    inFail: stratum(false_fail, false_fail + true_fail),
  }
}

function stratum(passes: number, labels: number): Stratum {
  return { labels, rate: labels === 0 ? undefined : passes / labels, shrunk: (passes + 1) / (labels + 2) }
}

function varianceOf({ labels, shrunk }: Stratum): number {
  return (shrunk * (1 - shrunk)) / (labels + 2)
}

function within(low: number, high: number): Interval {
  return { low: Math.min(1, Math.max(0, low)), high: Math.max(0, Math.min(1, high)) }
}

function assertCounts(confusion: Confusion, judged: JudgedOnly): void {
  for (const count of [...Object.values(confusion), ...Object.values(judged)]) assertCount('A number of answers', count)
}
