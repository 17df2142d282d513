import { groupBy } from '../../lib/collections.ts'
import { normalQuantile } from '../../lib/statistics/distributions.ts'
import { CONFIDENCE_LEVEL, estimateMean } from '../../lib/statistics/intervals.ts'
import { pairedEvidence } from '../../lib/statistics/paired.ts'
import type { Agreement, AlignmentResult, AlignmentSession } from '../../model/alignment.ts'
import { minDiffering, SIGNIFICANCE_LEVEL } from '../../report/compare/evidence.ts'
import type { JudgedAnswer } from './judge-answers.ts'

/** How the verdicts of a wording agree with people. An answer without a verdict is not agreed. */
export function agreementOf(judged: readonly JudgedAnswer[]): Agreement {
  const of = (wanted: readonly JudgedAnswer[]) => ({ agreed: wanted.filter(agrees).length, answers: wanted.length })
  return {
    all: of(judged),
    passes: of(judged.filter(({ answer }) => answer.passes)),
    fails: of(judged.filter(({ answer }) => !answer.passes)),
    errors: judged.filter(({ passes }) => passes === undefined).length,
  }
}

function agrees({ answer, passes }: JudgedAnswer): boolean {
  return passes === answer.passes
}

export function agreedShare({ all }: Agreement): number {
  return all.answers === 0 ? 0 : all.agreed / all.answers
}

type HeldOut = NonNullable<AlignmentResult['held_out']>

/**
 * Whether the candidate agrees better with people: on the held-out answers, which both have judged in the same order, and
 * on all answers of the run. Labels are drawn by verdict, so that a text may win on them and lose on the run.
 */
export function compareAgreement(
  current: readonly JudgedAnswer[],
  candidate: readonly JudgedAnswer[],
  verdicts: AlignmentSession['judged'],
): { readonly isBetter: boolean; readonly held_out: HeldOut } {
  const pairs = current.flatMap((before, index) => {
    const after = candidate[index]
    return after ? [{ before, after, group: before.answer.group }] : []
  })
  const judged = pairs.filter(({ before, after }) => before.passes !== undefined && after.passes !== undefined)
  const differences = judged.map(pair => ({ group: pair.group, value: differenceOf(pair) }))
  // The worst case for the candidate: it disagrees where it has no verdict, and the current wording agrees there.
  const worst = pairs.map(pair => ({ group: pair.group, value: differenceOf(pair, true) }))
  const found = evidenceOf(differences)
  const count = (value: number) => differences.filter(each => each.value === value).length
  const errors_decide = found.isBetter && !evidenceOf(worst).isBetter
  const of_run = differenceOfRun(judged, verdicts)
  return {
    isBetter: found.isBetter && !errors_decide && of_run !== undefined && of_run.low > 0,
    held_out: {
      current: agreementOf(current),
      candidate: agreementOf(candidate),
      ...{ compared: judged.length, better: count(1), worse: count(-1), errors_decide },
      difference: found.mean,
      ...(of_run ? { of_run } : {}),
      ...(found.interval ? { interval: { low: found.interval.low, high: found.interval.high } } : {}),
      ...(found.p === undefined ? {} : { p: found.p }),
      test: found.test,
    },
  }
}

interface JudgedPair {
  readonly before: JudgedAnswer
  readonly after: JudgedAnswer
}

/** The difference for all answers of the run; undefined if a verdict that it has is not among the held-out answers. */
function differenceOfRun(pairs: readonly JudgedPair[], verdicts: AlignmentSession['judged']): HeldOut['of_run'] {
  let [difference, variance] = [0, 0]
  for (const [isPass, count] of [[true, verdicts.pass] as const, [false, verdicts.fail] as const]) {
    if (count === 0) continue
    const own = pairs.filter(({ before }) => before.answer.judge_passes === isPass)
    if (own.length === 0) return undefined
    const share = count / (verdicts.pass + verdicts.fail)
    const clusters = own.map(({ before }) => before.answer.group)
    const { mean, standardError } = estimateMean(
      own.map(pair => differenceOf(pair)),
      { clusters },
    )
    if (standardError === undefined) return undefined
    difference += share * mean
    variance += (share * standardError) ** 2
  }
  const half = Z95 * Math.sqrt(variance)
  return { difference, low: difference - half, high: difference + half }
}

const Z95 = normalQuantile((1 + CONFIDENCE_LEVEL) / 2)

function differenceOf({ before, after }: JudgedPair, isWorst = false): number {
  const old = before.passes === undefined ? isWorst : agrees(before)
  return Number(agrees(after)) - Number(old)
}

interface Difference {
  readonly group: string
  readonly value: number
}

/** McNemar's test if each answer is of its own test; answers of one test are a cluster. */
function evidenceOf(differences: readonly Difference[]) {
  if (differences.length === 0)
    return { isBetter: false, mean: 0, test: 'mid-p McNemar', p: undefined, interval: undefined }
  const groups = groupBy(differences, ({ group }) => group)
  const isBinary = groups.size === differences.length
  const clusters = isBinary ? undefined : differences.map(({ group }) => group)
  const values = differences.map(({ value }) => value)
  const { mean, p, interval, method } = pairedEvidence(values, { clusters, isBinary, margin: 0 })
  const sums = [...groups.values()].map(members => members.reduce((sum, { value }) => sum + value, 0))
  const differing = sums.filter(sum => sum !== 0).length
  const isShown = p !== undefined && p <= SIGNIFICANCE_LEVEL && differing >= minDiffering({ is_binary: isBinary })
  return { isBetter: mean > 0 && isShown, mean, p, interval, test: method }
}
