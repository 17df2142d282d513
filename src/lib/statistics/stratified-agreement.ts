import { assertCount } from './assertions.ts'
import { type Confusion, type JudgedOnly, postStratifiedRate } from './corrected-rate.ts'
import type { Interval } from './intervals.ts'
import { type ChanceCorrected, clippedInterval, type RateEstimate, Z95 } from './rater-agreement.ts'

/** Labels of some answers of a run, drawn from what the judge passes and from what it fails. */
export interface StratifiedLabels {
  readonly confusion: Confusion
  /** The answers without a label. */
  readonly judged: JudgedOnly
  /** How many answers count as one, since those of one test are not independent. Default: 1. */
  readonly design?: { readonly pass: number; readonly fail: number; readonly answers: number } | undefined
}

/** How a judge compares with people on all answers of a run. A figure that the labels cannot tell is undefined. */
export interface JudgeFigures {
  readonly sensitivity: RateEstimate | undefined
  readonly specificity: RateEstimate | undefined
  readonly agreement: RateEstimate
  readonly kappa: ChanceCorrected | undefined
  readonly ac1: ChanceCorrected
  /** The pass rate as people would give it. */
  readonly pass_rate: RateEstimate
}

/**
 * Figures of a judge for all answers of a run. Labels are drawn more often from the rarer verdict, so that the table of
 * labels has other shares than the run: each verdict is weighted by how often the judge gives it (post-stratification).
 * Undefined if one verdict has no labels.
 */
export function stratifiedAgreement(labels: StratifiedLabels): JudgeFigures | undefined {
  const { true_pass, false_pass, false_fail, true_fail } = labels.confusion
  for (const count of Object.values(labels.confusion)) assertCount('A number of answers', count)
  if (true_pass + false_pass === 0 || false_fail + true_fail === 0) return undefined
  const found = sharesOf(labels, LITTLE)
  const hasPass = true_pass + false_fail > 0
  const hasFail = false_pass + true_fail > 0
  const corrected = postStratifiedRate(labels.confusion, labels.judged)
  return {
    sensitivity: hasPass ? logitRate(sensitivityOf, found) : undefined,
    specificity: hasFail ? logitRate(specificityOf, found) : undefined,
    agreement: logitRate(agreedOf, found),
    kappa: byChanceOfKappa(found.plain) < 1 - 1e-12 ? beyondChance(byChanceOfKappa, found) : undefined,
    ac1: beyondChance(byChanceOfAc1, found),
    pass_rate: {
      value: corrected?.value ?? passesOf(found.plain),
      interval: plainInterval(passesOf, sharesOf(labels, 1)),
    },
  }
}

/**
 * How many labels of each kind are added to each verdict, so that no rate is certain. For rates on the scale of logits, a
 * quarter covers the truth in at least 92 % of simulated worlds, a whole label in 71 %.
 */
const LITTLE = 0.25

/** The three rates that all figures are computed from. */
interface Shares {
  /** The share of answers that the judge passes. */
  readonly judged: number
  /** The share that people pass, of what the judge passes and of what it fails. */
  readonly inPass: number
  readonly inFail: number
}

interface Estimated {
  readonly plain: Shares
  /** With some labels more of each kind. */
  readonly shrunk: Shares
  readonly variances: Shares
}

type Figure = (shares: Shares) => number

const passesOf: Figure = ({ judged: q, inPass, inFail }) => q * inPass + (1 - q) * inFail
const agreedOf: Figure = ({ judged: q, inPass, inFail }) => q * inPass + (1 - q) * (1 - inFail)
const sensitivityOf: Figure = shares => (shares.judged * shares.inPass) / passesOf(shares)
const specificityOf: Figure = shares => ((1 - shares.judged) * (1 - shares.inFail)) / (1 - passesOf(shares))

const byChanceOfKappa: Figure = shares =>
  shares.judged * passesOf(shares) + (1 - shares.judged) * (1 - passesOf(shares))
const byChanceOfAc1: Figure = shares => {
  const passes = (shares.judged + passesOf(shares)) / 2
  return 2 * passes * (1 - passes)
}

const NO_CLUSTERS = { pass: 1, fail: 1, answers: 1 }

function sharesOf({ confusion, judged, design = NO_CLUSTERS }: StratifiedLabels, added: number): Estimated {
  const { true_pass, false_pass, false_fail, true_fail } = confusion
  const [inPass, inFail] = [true_pass + false_pass, false_fail + true_fail]
  const answers = inPass + inFail + judged.pass + judged.fail
  const q = (inPass + judged.pass) / answers
  const shareOf = (passes: number, labels: number) => (passes + added) / (labels + 2 * added)
  const shrunk = { judged: q, inPass: shareOf(true_pass, inPass), inFail: shareOf(false_fail, inFail) }
  const varianceOf = (share: number, labels: number, effect: number) =>
    (share * (1 - share)) / (labels / effect + 2 * added)
  return {
    plain: { judged: q, inPass: true_pass / inPass, inFail: false_fail / inFail },
    shrunk,
    variances: {
      judged: (q * (1 - q) * design.answers) / answers,
      inPass: varianceOf(shrunk.inPass, inPass, design.pass),
      inFail: varianceOf(shrunk.inFail, inFail, design.fail),
    },
  }
}

/** The delta method: how far the figure moves with each rate. */
function standardErrorOf(figure: Figure, { shrunk, variances }: Estimated): number {
  const keys = ['judged', 'inPass', 'inFail'] as const
  const parts = keys.map(key => {
    const step = 1e-6
    const moved = (by: number) => figure({ ...shrunk, [key]: shrunk[key] + by })
    return ((moved(step) - moved(-step)) / (2 * step)) ** 2 * variances[key]
  })
  return Math.sqrt(parts.reduce((sum, part) => sum + part, 0))
}

function plainInterval(figure: Figure, found: Estimated): Interval {
  const [centre, half] = [figure(found.shrunk), Z95 * standardErrorOf(figure, found)]
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/** A rate whose interval is computed on the scale of logits, which keeps it within 0..1 and asymmetric near its ends. */
function logitRate(figure: Figure, found: Estimated): RateEstimate {
  const logit: Figure = shares => Math.log(figure(shares) / (1 - figure(shares)))
  const [centre, half] = [logit(found.shrunk), Z95 * standardErrorOf(logit, found)]
  const value = figure(found.plain)
  const rateAt = (at: number) => 1 / (1 + Math.exp(-at))
  return {
    value,
    interval: { low: Math.min(value, rateAt(centre - half)), high: Math.max(value, rateAt(centre + half)) },
  }
}

function beyondChance(byChance: Figure, found: Estimated): ChanceCorrected {
  const figure: Figure = shares => (agreedOf(shares) - byChance(shares)) / (1 - byChance(shares))
  const [value, standard_error] = [figure(found.plain), standardErrorOf(figure, found)]
  return { value, standard_error, interval: clippedInterval(value, standard_error) }
}
