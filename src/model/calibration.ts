import { lazily } from '../lib/lazily.ts'
import { shortHash } from '../lib/sha256.ts'
import * as z from '../lib/zod.ts'
import type { Result } from './result.ts'

/** Part of every fingerprint: a new version of our own prompts for judges makes all calibrations stale. */
const JUDGE_VERSION = 1

const count = lazily(() => z.int().min(0))

const stratumSchema = lazily(() =>
  z
    .strictObject({
      target: z.string(),
      judge_passes: z.boolean(),
      answers: count().describe('Number of judged answers in the run, labelled or not.'),
      labels: count().describe('Number of labelled answers.'),
      passes: count().describe('Number of labelled answers that pass by their labels.'),
    })
    .describe('What the judge passed, or failed, of a target, and what people say of it.'),
)

const labelledSchema = lazily(() =>
  z
    .strictObject({
      test_id: z.string(),
      task_hash: z.string(),
      answer_sha256: z.string(),
      passes: z.boolean().describe('Whether the answer passes, by its labels.'),
    })
    .describe('An answer with a label.'),
)

/** How a judge compares with people: `.assay/calibration/<fingerprint>.json`. */
export const calibrationSchema = lazily(() =>
  z
    .strictObject({
      assay_calibration: z.literal(1).describe('Version of this format.'),
      fingerprint: z
        .string()
        .describe('Identifies the suite, the judges with their models and settings, and the checks.'),
      suite: z.string().describe('Name of the suite.'),
      judges: z.array(z.string()).describe('Names of the targets that judge.'),
      judges_hash: z.string().describe('Identifies the targets that judge, by their fields and their files.'),
      instruments: z.array(z.string()).describe('Identifies each set of checks with its judges, sorted.'),
      run_id: z.string().describe('The run whose verdicts were compared.'),
      made: z.string().describe('The time of the calibration.'),
      people: z.int().min(1).describe('Number of people who labelled.'),
      strata: z.array(stratumSchema()).describe('Verdicts of the judge against labels, by target and verdict.'),
      labelled: z.array(labelledSchema()).describe('The labelled answers of the run, sorted.'),
      figures: z.record(z.string(), z.unknown()).describe('The figures as they were printed, for other programs.'),
    })
    .describe('How a judge compares with people.'),
)

export type Calibration = z.output<ReturnType<typeof calibrationSchema>>

/** A calibration of the project. */
export interface KnownCalibration extends Calibration {
  /** Labels that it was made from were changed or removed since. */
  readonly has_changed_labels?: boolean | undefined
}

/** Identifies the checks of an attempt with their judges: prompts, rubrics, models and settings. Undefined if no model judges. */
export function instrumentOf({
  checks_hash,
  judges_hash,
}: Pick<Result, 'checks_hash' | 'judges_hash'>): string | undefined {
  return judges_hash === undefined ? undefined : shortHash(JSON.stringify([JUDGE_VERSION, checks_hash, judges_hash]))
}

/** Identifies what was calibrated. `instruments` are sorted. */
export function fingerprintOf(suite: string, judgesHash: string, instruments: readonly string[]): string {
  return shortHash(JSON.stringify([suite, judgesHash, instruments]))
}
