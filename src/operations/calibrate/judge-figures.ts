import { groupBy } from '../../lib/collections.ts'
import { type Confusion, type JudgedOnly, labelsFor, postStratifiedRate } from '../../lib/statistics/corrected-rate.ts'
import { boundedMean, type Interval } from '../../lib/statistics/intervals.ts'
import { kishSize } from '../../lib/statistics/means.ts'
import { predictionPoweredMean } from '../../lib/statistics/prediction-powered.ts'
import { type RatedPair, rateOf, raterAgreement } from '../../lib/statistics/rater-agreement.ts'
import { stratifiedAgreement } from '../../lib/statistics/stratified-agreement.ts'
import { answerKey, type JudgedAnswer } from './judged-answers.ts'
import { isVerdict, type LabelledJudgement } from './match-labels.ts'

/** The half-width of an interval that the number of labels is given for. */
export const HALF_WIDTH = 0.05

/** The figures of one set of judges, as printed and as JSON. */
export type JudgeSetFigures = ReturnType<typeof judgeSetFigures>

/** Compares the verdicts of a set of judges with the labels of people. Undefined values are what the labels cannot tell. */
export function judgeSetFigures(answers: readonly JudgedAnswer[], labelled: readonly LabelledJudgement[]) {
  const decided = decidedIn(labelled)
  const labels = decided.flatMap(({ opinion }) => opinion.labels.filter(isVerdict))
  const counts = countsOf(answers, decided)
  return {
    labels: new Set(labels).size,
    people: new Set(labelled.flatMap(({ opinion }) => opinion.labels.map(({ by }) => by))).size,
    labelled_answers: distinctIn(decided),
    labelled_attempts: decided.length,
    labelled_tests: new Set(decided.map(({ answer }) => answer.cluster)).size,
    attempts: answers.length,
    tests: new Set(answers.map(({ cluster }) => cluster)).size,
    confusion: counts.confusion,
    judged_only: counts.judged,
    ...withoutRate(stratifiedAgreement(counts)),
    of_labels_alone: ofLabelsAlone(decided),
    between_people: betweenPeople(labelled, answers),
    targets: targetFigures(answers, labelled),
  }
}

type Decided = LabelledJudgement & { readonly opinion: { readonly passes: boolean } }

/** The answers of which people say whether they pass. */
function decidedIn(labelled: readonly LabelledJudgement[]): Decided[] {
  return labelled.filter((each): each is Decided => each.opinion.passes !== undefined)
}

function withoutRate(figures: ReturnType<typeof stratifiedAgreement>) {
  const { sensitivity, specificity, agreement, kappa, ac1 } = figures ?? {}
  return { sensitivity, specificity, agreement, kappa, ac1 }
}

/** The same figures as if the labels were drawn at random, not by verdict. */
function ofLabelsAlone(decided: readonly Decided[]) {
  const judged = (passes: boolean) =>
    decided
      .filter(({ opinion }) => opinion.passes === passes)
      .map(({ answer }) => ({ passes: answer.passes === passes, cluster: answer.cluster }))
  const pairs = decided.map(({ answer, opinion }) => ({
    one: answer.passes,
    other: opinion.passes,
    cluster: answer.cluster,
  }))
  return {
    sensitivity: clusteredRate(judged(true)),
    specificity: clusteredRate(judged(false)),
    ...raterAgreement(pairs),
  }
}

/** Equal answers to a task have the same labels. */
function distinctIn(labelled: readonly LabelledJudgement[]): number {
  return new Set(labelled.map(({ answer }) => answerKey(answer))).size
}

/** The table of labels, the answers without one, and how many answers of each count as one. */
function countsOf(answers: readonly JudgedAnswer[], decided: readonly Decided[]) {
  const count = (judge: boolean, person: boolean) =>
    decided.filter(({ answer, opinion }) => answer.passes === judge && opinion.passes === person).length
  const confusion: Confusion = {
    true_pass: count(true, true),
    false_pass: count(true, false),
    false_fail: count(false, true),
    true_fail: count(false, false),
  }
  const passes = answers.filter(answer => answer.passes).length
  const { true_pass, false_pass, false_fail, true_fail } = confusion
  const judged: JudgedOnly = {
    pass: passes - true_pass - false_pass,
    fail: answers.length - passes - false_fail - true_fail,
  }
  const ofVerdict = (passes: boolean) => decided.map(({ answer }) => answer).filter(answer => answer.passes === passes)
  const design = {
    pass: designEffect(ofVerdict(true)),
    fail: designEffect(ofVerdict(false)),
    answers: designEffect(answers),
  }
  return { confusion, judged, design }
}

/**
 * How many answers count as one if all answers to a test are as good as equal: the mean size of a cluster, as seen by an
 * answer (Kish). That is conservative: answers of a test differ, and intervals are too wide rather than too narrow.
 */
function designEffect(answers: readonly JudgedAnswer[]): number {
  return answers.length === 0 ? 1 : answers.length / kishSize(answers.map(({ cluster }) => cluster))
}

/** The agreement of two people on the same answers, weighted like the figures of the judge: its ceiling. */
function betweenPeople(labelled: readonly LabelledJudgement[], answers: readonly JudgedAnswer[]) {
  const twice = labelled.filter(({ opinion }) => opinion.labels.filter(isVerdict).length > 1)
  const weightOf = (passes: boolean) =>
    answers.filter(answer => answer.passes === passes).length /
    Math.max(1, twice.filter(({ answer }) => answer.passes === passes).length)
  const weights = { pass: weightOf(true), fail: weightOf(false) }
  const pairs = twice.flatMap(each => peoplePairs(each, each.answer.passes ? weights.pass : weights.fail))
  const agreement = raterAgreement(pairs)
  return agreement && { answers: distinctIn(twice), ...agreement }
}

/** Each pair of people who labelled an answer; all pairs together have the weight of the answer. */
function peoplePairs({ answer, opinion }: LabelledJudgement, weight: number): RatedPair[] {
  const passes = opinion.labels.filter(isVerdict).map(({ label }) => label === 'pass')
  const pairs = passes.flatMap((one, index) => passes.slice(index + 1).map(other => ({ one, other })))
  return pairs.map(pair => ({ ...pair, weight: weight / pairs.length, cluster: answer.cluster }))
}

function targetFigures(answers: readonly JudgedAnswer[], labelled: readonly LabelledJudgement[]) {
  return [...groupBy(answers, ({ target }) => target)].map(([target, own]) => {
    const ownLabelled = labelled.filter(({ answer }) => answer.target === target)
    const decided = decidedIn(ownLabelled)
    const counts = countsOf(own, decided)
    const stratified = stratifiedAgreement(counts)
    const corrected =
      stratified?.pass_rate ?? widened(postStratifiedRate(counts.confusion, counts.judged), counts.design)
    return {
      target,
      attempts: own.length,
      judged_passes: own.filter(({ passes }) => passes).length,
      labelled_attempts: decided.length,
      labelled_answers: distinctIn(decided),
      confusion: counts.confusion,
      judge_alone: clusteredRate(own.map(({ passes, cluster }) => ({ passes, cluster }))),
      labels_alone: clusteredRate(decided.map(({ answer, opinion }) => ({ ...opinion, cluster: answer.cluster }))),
      corrected,
      labels_for_half_width: decided.length === 0 ? undefined : labelsFor(HALF_WIDTH, counts.confusion, counts.judged),
      mean_score: meanScore(own, ownLabelled),
    }
  })
}

/** Labels of one verdict only: the other one counts as a coin, and clusters widen the interval as a whole. */
function widened(rate: ReturnType<typeof postStratifiedRate>, design: Readonly<Record<string, number>>) {
  if (!rate) return undefined
  const factor = Math.sqrt(Math.max(...Object.values(design)))
  const at = (end: number) => Math.min(1, Math.max(0, rate.centre + factor * (end - rate.centre)))
  return { value: rate.value, interval: { low: at(rate.interval.low), high: at(rate.interval.high) } }
}

/** A rate with its interval; answers of one cluster are not independent. */
function clusteredRate(
  answers: readonly { readonly passes: boolean; readonly cluster: string }[],
): { readonly value: number; readonly interval: Interval | undefined } | undefined {
  const clusters = answers.map(({ cluster }) => cluster)
  if (new Set(clusters).size === answers.length)
    return rateOf(answers.filter(({ passes }) => passes).length, answers.length)
  const { mean, interval } = boundedMean(
    answers.map(({ passes }) => Number(passes)),
    { clusters, isRate: true },
  )
  return { value: mean, interval }
}

/** The mean score as people would give it; undefined without labels that are scores. */
function meanScore(answers: readonly JudgedAnswer[], labelled: readonly LabelledJudgement[]) {
  const scored = labelled.flatMap(({ answer, opinion: { score } }) => (score === undefined ? [] : [{ answer, score }]))
  if (scored.length === 0) return undefined
  const known = new Set(scored.map(({ answer }) => answer.attempt_id))
  const mean = predictionPoweredMean({
    labels: scored.map(({ score }) => score),
    judged: scored.map(({ answer }) => answer.score),
    judged_only: answers.filter(({ attempt_id }) => !known.has(attempt_id)).map(({ score }) => score),
    design: designEffect(scored.map(({ answer }) => answer)),
  })
  return { labels: scored.length, ...mean }
}
