import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** The parts of the queries: proposals are made from the first, and decided by the second. */
export type Part = z.output<ReturnType<typeof partSchema>>

const partSchema = lazily(() => z.enum(['training', 'held-out']))

const tuningQuerySchema = lazily(() =>
  z.strictObject({
    id: z.int().min(1),
    query: z.string().min(1),
    should_trigger: z.boolean(),
    part: partSchema(),
  }),
)

/** A query of a tuning session. */
export type TuningQuery = z.output<ReturnType<typeof tuningQuerySchema>>

/** What a tuning session was begun with: `session.json` in its folder. */
export const tuningSessionSchema = lazily(() =>
  z.strictObject({
    schema_version: z.literal(1),
    skill: z.string().min(1).describe('Name of the skill.'),
    folder: z.string().describe('Folder of the skill, relative to the root of the project.'),
    skill_sha256: z.string().describe('Hash of its SKILL.md.'),
    description: z.string().min(1).describe('The description that it has.'),
    target: z.string(),
    proposer: z.string().describe('Target that proposes descriptions.'),
    seed: z.int().min(0),
    trials: z.int().min(1),
    training_trials: z.int().min(1),
    rounds: z.int().min(1),
    proposals: z.int().min(1),
    queries: z.array(tuningQuerySchema()).min(1),
  }),
)

export type TuningSession = z.output<ReturnType<typeof tuningSessionSchema>>

const candidateSchema = lazily(() =>
  z.strictObject({
    number: z.int().min(1).describe('Number of the candidate in its session.'),
    description: z.string().min(1),
  }),
)

/** A description that is proposed in place of the present one. */
export type Candidate = z.output<ReturnType<typeof candidateSchema>>

/** What a round proposed: `round-1.json`, written before anything is measured. */
export const tuningRoundSchema = lazily(() =>
  z.strictObject({
    round: z.int().min(1),
    candidates: z.array(candidateSchema()),
    rejected: z.array(z.strictObject({ description: z.string(), reason: z.string() })),
    calls: z.int().min(1).describe('Number of replies of the proposer.'),
    known_cost_usd: z.number().min(0),
    unknown_costs: z.int().min(0).describe('Number of replies with unknown cost.'),
  }),
)

export type TuningRound = z.output<ReturnType<typeof tuningRoundSchema>>

const intervalSchema = lazily(() => z.strictObject({ low: z.number(), high: z.number() }))

const shareSchema = lazily(() =>
  z.strictObject({ right: z.number().describe('Mean share of right attempts.'), queries: z.int() }),
)

/** How a description did on a part of the queries. */
const measuredSchema = lazily(() =>
  z.strictObject({
    all: shareSchema().extend({ interval: intervalSchema().optional() }),
    should_trigger: shareSchema(),
    should_not_trigger: shareSchema(),
    errors: z.int().min(0).describe('Attempts without an answer, which count as wrong.'),
  }),
)

export type Measured = z.output<ReturnType<typeof measuredSchema>>

const TUNING_STATUSES = ['accepted', 'not-shown', 'no-candidate', 'nothing-to-improve'] as const

/** How a tuning session ended: `result.json`, written last. */
export const tuningResultSchema = lazily(() =>
  z.strictObject({
    status: z.enum(TUNING_STATUSES),
    finished: z.string(),
    candidate: candidateSchema().optional().describe('The one with the best result on the training queries.'),
    training: z.strictObject({ current: measuredSchema(), candidate: measuredSchema().optional() }),
    held_out: z
      .strictObject({
        current: measuredSchema(),
        candidate: measuredSchema(),
        difference: z.number(),
        interval: intervalSchema().optional(),
        p: z.number().optional(),
        test: z.string().optional(),
        verdict: z.enum(['better', 'worse', 'equivalent', 'inconclusive']),
        errors_decide: z.boolean(),
        detectable: z.number().optional().describe('Smallest true difference that is detected with 80 % power.'),
      })
      .optional(),
  }),
)

export type TuningResult = z.output<ReturnType<typeof tuningResultSchema>>
