import { seededRandom } from '../seeded-random.ts'
import { assertCount } from './assertions.ts'
import type { CorrectedRate } from './corrected-rate.ts'
import type { Interval } from './intervals.ts'
import { betaDraw, gammaDraw } from './random-draws.ts'

/**
 * Answers with the same verdict of a judge, some of them labelled by people. Labels are drawn by verdict, so that what
 * the judge rarely says is seen too: their shares say nothing about all answers without the numbers of answers.
 */
export interface JudgeStratum {
  readonly judge_passes: boolean
  /** Number of answers, labelled or not. */
  readonly answers: number
  readonly labels: number
  /** Number of labels that pass the answer. */
  readonly passes: number
}

/** Shares of all answers: what judge and people say of them. */
interface Shares {
  readonly true_pass: number
  readonly false_pass: number
  readonly false_fail: number
  readonly true_fail: number
}

const DRAWS = 4_000
const SEED = 1

/** Between the prior of Jeffreys and the uniform one: of the three, its least coverage in simulations is highest. */
const PRIOR = 0.75

/**
 * The pass rate as people would give it on answers of which none is labelled, by a judge with labels on other answers
 * (Rogan and Gladen). Undefined if the labels do not show that the judge is better than chance. `judged` may be an
 * effective number of answers.
 */
export function transportedRate(
  strata: readonly JudgeStratum[],
  judged: { readonly pass: number; readonly fail: number },
): CorrectedRate | undefined {
  const observed = observedShares(strata)
  const all = judged.pass + judged.fail
  if (!observed || all === 0) return undefined
  const value = correct(judged.pass / all, observed)
  if (value === undefined) return undefined
  const random = seededRandom(SEED + 1)
  const rates = drawShares(strata).map(shares => {
    const rate = betaDraw(judged.pass + PRIOR, judged.fail + PRIOR, random)
    // A judge that says nothing leaves every rate possible.
    return correct(rate, shares) ?? Math.round(random())
  })
  return { value, interval: middle95(rates) }
}

function correct(rate: number, shares: Shares): number | undefined {
  const specificity = specificityOf(shares)
  const youden = sensitivityOf(shares) + specificity - 1
  return youden > 0 ? Math.min(1, Math.max(0, (rate + specificity - 1) / youden)) : undefined
}

/** Undefined if what the judge passed, or what it failed, has no label. */
function observedShares(strata: readonly JudgeStratum[]): Shares | undefined {
  const used = usedStrata(strata)
  if (used.length === 0 || used.some(({ labels }) => labels === 0)) return undefined
  return sharesOf(used.map(({ passes, labels, ...stratum }) => ({ ...stratum, rate: passes / labels })))
}

/** Plausible shares: how often people pass a verdict, and how often the judge gives it, vary with the answers. */
function drawShares(strata: readonly JudgeStratum[]): Shares[] {
  const random = seededRandom(SEED)
  const used = usedStrata(strata)
  return Array.from({ length: DRAWS }, () =>
    sharesOf(
      used.map(({ judge_passes, answers, labels, passes }) => ({
        judge_passes,
        answers: gammaDraw(answers + PRIOR, random),
        rate: betaDraw(passes + PRIOR, labels - passes + PRIOR, random),
      })),
    ),
  )
}

/** The strata with answers; pooled by verdict if one of them has no label. */
function usedStrata(strata: readonly JudgeStratum[]): readonly JudgeStratum[] {
  for (const { answers, labels, passes } of strata)
    for (const count of [answers, labels, passes, answers - labels, labels - passes]) assertCount('A number', count)
  const filled = strata.filter(({ answers }) => answers > 0)
  if (filled.every(({ labels }) => labels > 0)) return filled
  return [true, false]
    .map(verdict =>
      pooled(
        filled.filter(({ judge_passes }) => judge_passes === verdict),
        verdict,
      ),
    )
    .filter(({ answers }) => answers > 0)
}

function pooled(strata: readonly JudgeStratum[], judge_passes: boolean): JudgeStratum {
  const sum = (count: (stratum: JudgeStratum) => number) => strata.reduce((total, stratum) => total + count(stratum), 0)
  return {
    judge_passes,
    answers: sum(({ answers }) => answers),
    labels: sum(({ labels }) => labels),
    passes: sum(({ passes }) => passes),
  }
}

interface RatedStratum extends Pick<JudgeStratum, 'judge_passes' | 'answers'> {
  /** The share that people pass. */
  readonly rate: number
}

function sharesOf(strata: readonly RatedStratum[]): Shares {
  const all = strata.reduce((sum, { answers }) => sum + answers, 0)
  const share = (verdict: boolean, part: (rate: number) => number) =>
    strata
      .filter(({ judge_passes }) => judge_passes === verdict)
      .reduce((sum, { answers, rate }) => sum + (answers / all) * part(rate), 0)
  return {
    true_pass: share(true, rate => rate),
    false_pass: share(true, rate => 1 - rate),
    false_fail: share(false, rate => rate),
    true_fail: share(false, rate => 1 - rate),
  }
}

function sensitivityOf({ true_pass, false_fail }: Shares): number {
  return true_pass / (true_pass + false_fail)
}

function specificityOf({ true_fail, false_pass }: Shares): number {
  return true_fail / (true_fail + false_pass)
}

function middle95(values: readonly number[]): Interval {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
  return { low: at(0.025), high: at(0.975) }
}
