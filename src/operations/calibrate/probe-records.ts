import { type LengthProbe, lengthProbe } from '../../lib/statistics/length-probe.ts'
import { PairCounts, type SwappedOrders } from '../../report/outcome/paired-answers.ts'
import type { CalibratedJudges } from './calibrate.ts'
import type { LabelledJudgement } from './match-labels.ts'

/** What the records of a run show of its judges, without asking them. */
export interface RecordedProbes {
  /** Pairs that were compared in both orders, and whether a place is preferred. */
  readonly orders: SwappedOrders | undefined
  /** Labelled answers, one of each test, and whether long ones are preferred. */
  readonly measured_answers: number
  readonly length: LengthProbe | undefined
}

export function probeRecords({ answers, labelled }: Pick<CalibratedJudges, 'answers' | 'labelled'>): RecordedProbes {
  const pairs = new PairCounts()
  for (const answer of answers) pairs.add(answer)
  const measured = oneOfEachTest(labelled).flatMap(measuredAnswer)
  return { orders: pairs.paired?.orders, measured_answers: measured.length, length: lengthProbe(measured) }
}

/** Answers of one test are not independent: the first one counts. */
function oneOfEachTest(labelled: readonly LabelledJudgement[]): LabelledJudgement[] {
  return [...new Map(labelled.toReversed().map(each => [each.answer.cluster, each])).values()].reverse()
}

/** A label that is a score is compared with the score of the judge, any other one with its verdict. */
function measuredAnswer({ answer, opinion }: LabelledJudgement) {
  const characters = Math.max(1, answer.characters)
  if (opinion.score !== undefined) return [{ characters, label: opinion.score, judged: answer.score }]
  if (opinion.passes === undefined) return []
  return [{ characters, label: Number(opinion.passes), judged: Number(answer.passes) }]
}
