import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { wordingSchema } from './wording.ts'

const partSchema = lazily(() => z.enum(['training', 'held-out']))

/** The parts of the labelled answers: proposals are made from the first, and decided by the second. */
export type AlignmentPart = z.output<ReturnType<typeof partSchema>>

const answerSchema = lazily(() =>
  z.strictObject({
    key: z.string().describe('Identifies the attempt in the run.'),
    group: z.string().describe('The test, or the cluster of tests: all its answers are in one part.'),
    passes: z.boolean().describe('Whether the answer passes, by its labels.'),
    judge_passes: z.boolean().describe('Whether it passes in the run: labels are drawn by this verdict.'),
    part: partSchema(),
  }),
)

/** A labelled answer of a session. */
export type AlignmentAnswer = z.output<ReturnType<typeof answerSchema>>

/** What a session of `assay calibrate --align` was begun with: `session.json` in its folder. */
export const alignmentSessionSchema = lazily(() =>
  z.strictObject({
    schema_version: z.literal(1),
    run_id: z.string().describe('The run whose answers are judged again.'),
    suites: z.array(z.string()).min(1),
    check: z.string().describe('Name of the check.'),
    wording: wordingSchema().describe('What the check tells its judge now.'),
    file: z.string().optional().describe('File of the prompt, relative to the root of the project.'),
    file_sha256: z.string().optional(),
    judges: z.array(z.string()).min(1).describe('Targets that judge the answers.'),
    proposer: z.string().describe('Target that proposes wordings.'),
    seed: z.int().min(0),
    rounds: z.int().min(1),
    proposals: z.int().min(1),
    answers: z.array(answerSchema()).min(1),
    judged: z
      .strictObject({ pass: z.int().min(0), fail: z.int().min(0) })
      .describe('Verdicts on all answers of the run that the check judges, labelled or not.'),
  }),
)

export type AlignmentSession = z.output<ReturnType<typeof alignmentSessionSchema>>

const candidateSchema = lazily(() =>
  z.strictObject({
    number: z.int().min(1).describe('Number of the candidate in its session.'),
    wording: wordingSchema(),
  }),
)

/** A wording that is proposed in place of the present one. */
export type WordingCandidate = z.output<ReturnType<typeof candidateSchema>>

/** What a round proposed: `round-1.json`, written before anything is measured. */
export const alignmentRoundSchema = lazily(() =>
  z.strictObject({
    round: z.int().min(1),
    candidates: z.array(candidateSchema()),
    rejected: z.array(z.strictObject({ proposal: z.string(), reason: z.string() })),
    calls: z.int().min(1).describe('Number of replies of the proposer.'),
    known_cost_usd: z.number().min(0),
    unknown_costs: z.int().min(0).describe('Number of replies with unknown cost.'),
  }),
)

export type AlignmentRound = z.output<ReturnType<typeof alignmentRoundSchema>>

const agreedSchema = lazily(() =>
  z.strictObject({
    agreed: z.int().min(0).describe('Answers on which the verdict is that of the people.'),
    answers: z.int().min(0),
  }),
)

/** How a wording agrees with people on a part of the answers. */
const agreementSchema = lazily(() =>
  z.strictObject({
    all: agreedSchema(),
    passes: agreedSchema().describe('Answers that people pass.'),
    fails: agreedSchema().describe('Answers that people fail.'),
    errors: z.int().min(0).describe('Answers without a verdict, which count as not agreed.'),
  }),
)

export type Agreement = z.output<ReturnType<typeof agreementSchema>>

const ALIGNMENT_STATUSES = ['offered', 'not-shown', 'no-candidate', 'nothing-to-improve'] as const

/** How a session ended: `result.json`, written last. */
export const alignmentResultSchema = lazily(() =>
  z.strictObject({
    status: z.enum(ALIGNMENT_STATUSES),
    finished: z.string(),
    candidate: candidateSchema().optional().describe('The one that agrees best on the training answers.'),
    training: z.strictObject({ current: agreementSchema(), candidate: agreementSchema().optional() }),
    held_out: z
      .strictObject({
        current: agreementSchema(),
        candidate: agreementSchema(),
        compared: z.int().min(0).describe('Answers that both wordings have a verdict on.'),
        better: z.int().min(0).describe('Answers on which only the candidate agrees.'),
        worse: z.int().min(0).describe('Answers on which only the current wording agrees.'),
        difference: z.number().describe('Mean difference in agreement.'),
        of_run: z
          .strictObject({ difference: z.number(), low: z.number(), high: z.number() })
          .optional()
          .describe('The same for all answers of the run, with its 95 % interval: verdicts weighted by their number.'),
        interval: z.strictObject({ low: z.number(), high: z.number() }).optional(),
        p: z.number().optional(),
        test: z.string(),
        errors_decide: z.boolean().describe('Whether the result depends on answers without a verdict.'),
      })
      .optional(),
  }),
)

export type AlignmentResult = z.output<ReturnType<typeof alignmentResultSchema>>
