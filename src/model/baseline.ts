import { lazily } from '../lib/lazily.ts'
import { ruleParams } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { resultSchema, verdictSchema } from './result.ts'

/** Version of the format of baselines. */
export const BASELINE_VERSION = 1

const hash = lazily(() => z.string())

// Marks are not part of the identity of a test, so only runs have them: those of the suite as it was then.
const markFields = lazily(() => resultSchema().pick({ expected_failure: true, quarantine: true }).shape)

/** What a baseline keeps of a test on a target. The figures are those of the attempts that no rerun added. */
export const baselineTestSchema = lazily(() =>
  z
    .strictObject({
      suite: z.string(),
      test_id: z.string(),
      target: z.string(),
      verdict: verdictSchema().describe('Verdict over all attempts.'),
      passed: z.int().min(0).describe('Number of attempts that passed.'),
      attempts: z.int().min(1),
      errors: z.int().min(0).describe('Number of attempts that ended in an error.'),
      score: z.number().min(0).max(1).nullable().describe('Mean score of the graded attempts; null if there are none.'),
      scores: z
        .array(z.number().min(0).max(1))
        .describe('What each attempt counts in comparisons: 0 for an error or a missed required check.'),
      flaky: z.literal(true).optional().describe('The attempts have different verdicts.'),
      control: z.literal(true).optional().describe('The target was the control arm.'),
      not_applicable: z.array(z.string()).optional().describe('Checks that do not apply to the target.'),
      cluster: z.string().optional().describe('Name that tests share if they are not independent.'),
      file: z.string().describe('File of the test, relative to the root of the repository.'),
      line: z.int().min(1).optional().describe('Line of the test; only in runs, since edits of a file move its tests.'),
      ...markFields(),
      run: z.string().describe('Id of the run that made the result.'),
      test_hash: hash().describe('Identifies the test by its prompt and its checks.'),
      input_hash: hash().optional().describe('Identifies the input messages.'),
      checks_hash: hash().optional().describe('Identifies the checks.'),
      target_hash: hash().describe('Identifies the target by its fields and its files.'),
      judges_hash: hash().optional().describe('Identifies the targets that judge; absent if no model judges.'),
    })
    .refine(({ passed, attempts, errors, scores }) => passed + errors <= attempts && scores.length === attempts, {
      error: 'the counts contradict each other: each attempt has one score, and cannot be both passed and an error',
      ...ruleParams({ code: 'out-of-range', hint: 'save the baseline again' }),
    })
    .describe('The results of a test on a target.'),
)

const targetFieldsSchema = lazily(() =>
  z
    .strictObject({ target: z.string(), fields: z.record(z.string(), hash()) })
    .describe('Hashes of the fields of a target, to tell which of them changed.'),
)

/** The saved results of a run: a file in `.assay/baselines`, made for git. */
export const baselineSchema = lazily(() =>
  z
    .strictObject({
      assay_baseline: z.literal(BASELINE_VERSION).describe('Version of this format.'),
      identity_version: z.int().describe('Version of the hashes.'),
      targets: z.array(targetFieldsSchema()),
      files: z.record(z.string(), hash()).describe('Hashes of the files that determine the results.'),
      tests: z.array(baselineTestSchema()),
    })
    .describe('The saved results of a run.'),
)

export type BaselineTest = z.output<ReturnType<typeof baselineTestSchema>>
export type Baseline = z.output<ReturnType<typeof baselineSchema>>

/** Tests whose results were not made by a run, but carried over from an earlier one. */
export const carriedSchema = lazily(() =>
  z
    .strictObject({
      from: z.string().describe('The baseline or run that has the results.'),
      tests: z.array(baselineTestSchema()),
    })
    .describe('Results that were carried over, because nothing that they are made of has changed.'),
)

export type Carried = z.output<ReturnType<typeof carriedSchema>>

/** The hash of a file in a baseline: short, since it only tells whether the file changed. */
export function fileHash(sha256: string): string {
  return sha256.slice(0, 16)
}
