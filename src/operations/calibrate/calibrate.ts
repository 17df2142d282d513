import { groupBy } from '../../lib/collections.ts'
import { type Calibration, fingerprintOf } from '../../model/calibration.ts'
import type { Host } from '../../model/host.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { readCalibrations, type WrittenCalibration, writeCalibration } from '../../record/calibration-files.ts'
import { labelPath, readLabels } from '../../record/label-files.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { type JudgeSetFigures, judgeSetFigures } from './judge-figures.ts'
import { judgedBy, judgeSets } from './judge-sets.ts'
import { answerKey, type JudgedAnswer, judgedAnswers, type SuiteAnswers } from './judged-answers.ts'
import { type LabelledJudgement, labelledJudgements, type MatchedLabels, matchLabels } from './match-labels.ts'

export interface CalibrateOptions {
  /** Only attempts that this target judges. */
  readonly judge?: string | undefined
}

/** How the judges of a run compare with people, by suite. */
export interface CalibratedRun {
  readonly run_id: string
  readonly suites: readonly CalibratedSuite[]
}

export interface CalibratedSuite {
  readonly suite: string
  readonly label_file: string
  /** Number of labels in the file. */
  readonly labels: number
  readonly not_counted: MatchedLabels['not_counted']
  readonly judge_sets: readonly CalibratedJudges[]
}

export interface CalibratedJudges {
  /** Names of the targets that judge; empty if the run does not name them. */
  readonly judges: readonly string[]
  readonly judges_hash: string
  readonly fingerprint: string
  readonly figures: JudgeSetFigures
  /** The written file; undefined without a label that counts. */
  readonly file: WrittenCalibration | undefined
  /** Calibrations of the suite that do not hold for this run. */
  readonly stale: readonly StaleCalibration[]
  /** The judged answers, with labels and without. */
  readonly answers: readonly JudgedAnswer[]
  readonly labelled: readonly LabelledJudgement[]
}

/** A calibration of the same suite with other judges, or other checks. */
export interface StaleCalibration {
  readonly run_id: string
  readonly reason: 'judges' | 'checks'
}

/** Compares the judges of a run with the labels of people, and writes `.assay/calibration/<fingerprint>.json`. */
export async function calibrate(run: RunReader, options: CalibrateOptions, host: Host): Promise<CalibratedRun> {
  const isAsked = judgedBy(options.judge, run.info)
  const { settings_folder } = await findProjectFolders(undefined, host)
  const run_id = run.info?.run_id ?? firstRunId(run)
  const before = await readCalibrations(settings_folder, host)
  const context = { run, run_id, settings_folder, before, isAsked, host }
  const suites: CalibratedSuite[] = []
  for (const answers of judgedAnswers(run)) {
    if ([...answers.instruments.keys()].some(isAsked)) suites.push(await calibrateSuite(answers, context))
  }
  return { run_id, suites }
}

/** The id of a run that is only a file of results. */
function firstRunId(run: RunReader): string {
  for (const { run_id } of run.results()) return run_id
  return ''
}

interface CalibrationContext {
  readonly run: RunReader
  readonly run_id: string
  readonly settings_folder: string
  /** The calibrations that exist. */
  readonly before: readonly Calibration[]
  isAsked(judgesHash: string): boolean
  readonly host: Host
}

async function calibrateSuite(answers: SuiteAnswers, context: CalibrationContext): Promise<CalibratedSuite> {
  const { settings_folder, isAsked, host } = context
  const label_file = labelPath(settings_folder, answers.suite)
  const labels = await readLabels(label_file, host)
  const matched = matchLabels(labels, answers)
  const judge_sets: CalibratedJudges[] = []
  for (const judges_hash of [...answers.instruments.keys()].filter(isAsked))
    judge_sets.push(await calibrateJudges(judges_hash, { answers, matched }, context))
  return { suite: answers.suite, label_file, labels: labels.length, not_counted: matched.not_counted, judge_sets }
}

interface LabelledSuite {
  readonly answers: SuiteAnswers
  readonly matched: MatchedLabels
}

async function calibrateJudges(
  judges_hash: string,
  { answers: suite, matched }: LabelledSuite,
  context: CalibrationContext,
): Promise<CalibratedJudges> {
  const { run, run_id, settings_folder, host } = context
  const answers = suite.judged.filter(answer => answer.judges_hash === judges_hash)
  const labelled = labelledJudgements(answers, matched)
  const figures = judgeSetFigures(answers, labelled)
  const judges = judgeSets(run.info).get(judges_hash) ?? []
  const instruments = [...(suite.instruments.get(judges_hash) ?? [])].sort()
  const fingerprint = fingerprintOf(suite.suite, judges_hash, instruments)
  const calibration = {
    assay_calibration: 1 as const,
    fingerprint,
    suite: suite.suite,
    judges: [...judges],
    judges_hash,
    instruments,
    run_id,
    made: host.clock.timestamp(),
    people: figures.people,
    strata: strataOf(figures),
    labelled: labelledList(labelled),
    // Without undefined values, which JSON does not have.
    figures: JSON.parse(JSON.stringify(figures)),
  }
  const isWritten = calibration.labelled.length > 0
  const file = isWritten ? await writeCalibration(settings_folder, calibration, host) : undefined
  const own = new Set(suite.instruments.keys())
  const stale = staleOf(
    context.before.filter(({ suite: name }) => name === suite.suite),
    { judges_hash, instruments, own },
  )
  return { judges, judges_hash, fingerprint, figures, file, stale, answers, labelled }
}

/** What the judge passed and failed of each target, and what people say of it. */
function strataOf({ targets }: JudgeSetFigures): Calibration['strata'] {
  return targets.flatMap(({ target, attempts, judged_passes, confusion }) => {
    const { true_pass, false_pass, false_fail, true_fail } = confusion
    const pass = { answers: judged_passes, labels: true_pass + false_pass, passes: true_pass }
    const fail = { answers: attempts - judged_passes, labels: false_fail + true_fail, passes: false_fail }
    return [
      { target, judge_passes: true, ...pass },
      { target, judge_passes: false, ...fail },
    ]
  })
}

/** Each labelled answer once, sorted: equal answers of several attempts have the same labels. */
function labelledList(labelled: readonly LabelledJudgement[]): Calibration['labelled'] {
  const byKey = groupBy(labelled, ({ answer }) => answerKey(answer))
  const entries = [...byKey.values()].flatMap(([{ answer, opinion }]) => {
    const { test_id, task_hash, answer_sha256 } = answer
    return opinion.passes === undefined ? [] : [{ test_id, task_hash, answer_sha256, passes: opinion.passes }]
  })
  const orderOf = ({ test_id, task_hash, answer_sha256 }: (typeof entries)[number]) =>
    JSON.stringify([test_id, task_hash, answer_sha256])
  return entries.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
}

/** The calibrations that do not hold for these judges; those of other judges in the same run are not meant. */
function staleOf(
  before: readonly Calibration[],
  now: { readonly judges_hash: string; readonly instruments: readonly string[]; readonly own: ReadonlySet<string> },
): StaleCalibration[] {
  return before.flatMap(({ run_id, judges_hash, instruments }): StaleCalibration[] => {
    if (judges_hash !== now.judges_hash) return now.own.has(judges_hash) ? [] : [{ run_id, reason: 'judges' }]
    const known = new Set(instruments)
    return now.instruments.every(each => known.has(each)) ? [] : [{ run_id, reason: 'checks' }]
  })
}
