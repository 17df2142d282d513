import { compositeKey, groupBy } from '../../lib/collections.ts'
import { millisecondsOf } from '../../lib/dates.ts'
import { isDrawnFor, isLabelOf, type Label } from '../../model/label.ts'
import { answerKey, type JudgedAnswer, type SuiteAnswers, taskKey } from './judged-answers.ts'

/** What people say of an answer. */
export interface Opinion {
  /** Whether it passes by the majority of people; undefined for a tie, and if no label is `pass` or `fail`. */
  readonly passes: boolean | undefined
  /** The mean of the scores that people give; undefined if all labels are `pass`, `fail` or `unsure`. */
  readonly score: number | undefined
  /** The newest label of each person, in the order of their names. */
  readonly labels: readonly Label[]
}

/** Labels that count in no figure, by reason. */
export interface UncountedLabels {
  /** The same person labelled the answer again. */
  readonly replaced: number
  readonly unsure: number
  /** Labels of answers of which as many people pass as fail. */
  readonly ties: number
  /** No attempt of the run has the answer. */
  readonly other_answers: number
  /** The input or the criteria of the test changed, or the test was removed. */
  readonly changed_tasks: number
  /** The attempt with the answer has no verdict of a judge, or counts in no rate. */
  readonly not_judged: number
  /** Drawn by the verdicts of other judges or checks: no sample of what these judges pass and fail. */
  readonly drawn_otherwise: number
}

export interface MatchedLabels {
  /** By `answerKey`. */
  readonly opinions: ReadonlyMap<string, Opinion>
  readonly not_counted: UncountedLabels
}

/** Finds the answers of a run that labels are about, and what people say of each. */
export function matchLabels(labels: readonly Label[], answers: SuiteAnswers): MatchedLabels {
  const byText = groupBy(answers.judged, ({ test_id, answer_sha256 }) => compositeKey(test_id, answer_sha256))
  const found = new Map<string, Label[]>()
  const missing = { other_answers: 0, changed_tasks: 0, not_judged: 0, drawn_otherwise: 0 }
  for (const label of labels) {
    const candidates = byText.get(compositeKey(label.test_id, label.answer_sha256)) ?? []
    const own = candidates.filter(answer => isLabelOf(label, answer))
    const keys = new Set(own.filter(({ instrument }) => isDrawnFor(label, instrument)).map(answerKey))
    if (own.length > 0 && keys.size === 0) missing.drawn_otherwise++
    else if (keys.size === 0) missing[whyMissing(label, answers)]++
    for (const key of keys) found.set(key, [...(found.get(key) ?? []), label])
  }
  const opinions = new Map([...found].map(([key, each]) => [key, opinionOf(each)]))
  return { opinions, not_counted: { ...uncounted([...found.values()], [...opinions.values()]), ...missing } }
}

function whyMissing(
  label: Label,
  { not_judged, tasks, test_ids }: SuiteAnswers,
): 'other_answers' | 'changed_tasks' | 'not_judged' {
  const { test_id, task_hash, answer_sha256 } = label
  if (task_hash === undefined) return test_ids.has(test_id) ? 'other_answers' : 'changed_tasks'
  if (not_judged.has(answerKey({ test_id, task_hash, answer_sha256 }))) return 'not_judged'
  return tasks.has(taskKey({ test_id, task_hash })) ? 'other_answers' : 'changed_tasks'
}

function uncounted(found: readonly (readonly Label[])[], opinions: readonly Opinion[]) {
  const labels = opinions.flatMap(each => each.labels)
  const verdicts = (opinion: Opinion) => opinion.labels.filter(isVerdict).length
  return {
    replaced: found.flat().length - labels.length,
    unsure: labels.filter(({ label }) => label === 'unsure').length,
    ties: opinions.reduce((sum, opinion) => sum + (opinion.passes === undefined ? verdicts(opinion) : 0), 0),
  }
}

/** The newest label of each person counts. */
export function opinionOf(labels: readonly Label[]): Opinion {
  const newest = newestByPerson(labels)
  const passes = newest.filter(({ label }) => label === 'pass').length
  const fails = newest.filter(({ label }) => label === 'fail').length
  const scores = newest.flatMap(({ label }) => (typeof label === 'number' ? [label] : []))
  return {
    passes: passes === fails ? undefined : passes > fails,
    score: scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    labels: newest,
  }
}

/** By the time of the label; of equal times, the later line. */
function newestByPerson(labels: readonly Label[]): Label[] {
  const newest = new Map<string, Label>()
  for (const label of labels) {
    const before = newest.get(label.by)
    if (!before || timeOf(label) >= timeOf(before)) newest.set(label.by, label)
  }
  return [...newest.values()].sort((one, other) => (one.by < other.by ? -1 : 1))
}

function timeOf({ at }: Label): number {
  return millisecondsOf(at) ?? 0
}

/** Whether a label says that the answer passes or fails. */
export function isVerdict({ label }: Label): boolean {
  return label === 'pass' || label === 'fail'
}

/** A judged answer with what people say of it. */
export interface LabelledJudgement {
  readonly answer: JudgedAnswer
  readonly opinion: Opinion
}

/** The answers with labels. */
export function labelledJudgements(answers: readonly JudgedAnswer[], { opinions }: MatchedLabels): LabelledJudgement[] {
  return answers.flatMap(answer => {
    const opinion = opinions.get(answerKey(answer))
    return opinion ? [{ answer, opinion }] : []
  })
}
