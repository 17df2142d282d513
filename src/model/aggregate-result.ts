import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { evaluatorResultSchema } from './evaluator-result.ts'
import { resultSchema } from './result.ts'

/** The version of `aggregate-result.json` that is read and written. */
export const AGGREGATE_VERSION = 1

const share = lazily(() => z.number().min(0).max(1))
const amount = lazily(() => z.number().min(0))
const texts = lazily(() => z.array(z.string()))

/** Keys whose 0 is not a figure: the format has no way to leave them out. */
const unknown = lazily(() => texts().optional())

const graderResultSchema = lazily(() =>
  z.looseObject({
    name: z.string(),
    passed: z.boolean(),
    weight: amount(),
    explanation: z.string(),
    withOnly: z.boolean(),
    scored: z.boolean().optional(),
    judgeVotes: z.array(z.boolean()).optional(),
    evidence: z.string().optional(),
    assay: evaluatorResultSchema()
      .pick({ score: true, required: true, error: true, trigger: true })
      .partial({ required: true })
      .optional(),
  }),
)

const runSchema = lazily(() =>
  z.looseObject({
    score: share(),
    passed: z.boolean(),
    turns: amount(),
    costUsd: amount(),
    judgeCostUsd: amount(),
    durationSeconds: amount().optional(),
    startedAt: z.string().optional(),
    error: z.string().nullable(),
    tracePath: z.string(),
    skippedPaidGraders: z.boolean(),
    aborted: z.looseObject({ server: z.string(), tool: z.string(), reason: z.string() }).optional(),
    mocks: z
      .looseObject({
        calls: z.looseObject({ unmocked: z.array(z.looseObject({ tool: z.string(), count: amount() })) }),
      })
      .optional(),
    graders: z.array(graderResultSchema()),
    assay: resultSchema()
      .pick({ attempt_id: true, trial: true, rerun: true, added: true, cached: true, failed_calls: true })
      .extend(
        resultSchema().pick({ answer: true, token_usage: true, cost_usd: true, judge_usage: true, error: true }).shape,
      )
      .extend({ unknown: unknown() })
      .optional(),
  }),
)

const graderSchema = lazily(() =>
  z.looseObject({
    name: z.string(),
    type: z.string(),
    weight: amount(),
    graderMarkdown: z.string().optional(),
    config: z.record(z.string(), z.unknown()),
  }),
)

const caseSchema = lazily(() =>
  z.looseObject({
    name: z.string(),
    dir: z.string(),
    source: z.string(),
    promptMarkdown: z.string(),
    model: z.string().optional(),
    runsPerCase: z.int().min(1),
    timeoutSeconds: amount(),
    maxTurns: amount(),
    graders: z.array(graderSchema()),
    arms: z.looseObject({ with: z.array(runSchema()), without: z.array(runSchema()).optional() }),
    advisories: texts().optional(),
    aggregates: z.looseObject({
      score: share().optional(),
      passRate: share().optional(),
      scoreWithout: share().optional(),
      passRateWithout: share().optional(),
      delta: z.number().min(-1).max(1).optional(),
    }),
    assay: resultSchema()
      .pick({ suite: true, file: true, line: true, test_hash: true, conversation_id: true, tags: true, metadata: true })
      .extend(resultSchema().pick({ expected_failure: true, trigger_threshold: true }).shape)
      .extend({ unknown: unknown() })
      .optional(),
  }),
)

/**
 * The results of `claude plugin eval`: `aggregate-result.json`. What only Assay records is under `assay`, which other
 * readers ignore. Keys that are not known are ignored, since later versions of the client may add some.
 */
export const aggregateResultSchema = lazily(() =>
  z.looseObject({
    schemaVersion: z.literal(AGGREGATE_VERSION),
    claudeVersion: z.string(),
    startedAt: z.string(),
    durationSeconds: amount(),
    costUsd: amount(),
    partial: z.boolean(),
    partialReason: z.enum(['cost_ceiling', 'interrupted', 'auth_failed']).optional(),
    suite: z.looseObject({
      root: z.string(),
      ablation: z.enum(['none', 'with-without']),
      modelOverride: z.string().optional(),
      judgeModel: z.string().optional(),
      caseFilter: z.string().optional(),
      tagFilters: texts().optional(),
      threshold: z.number().gt(0).max(1),
      concurrency: z.int().min(1).optional(),
      pluginId: z.string().optional(),
      plugins: z.array(z.looseObject({ name: z.string(), version: z.string().optional(), path: z.string() })),
    }),
    cases: z.array(caseSchema()),
    aggregates: z.looseObject({
      casesTotal: z.int().min(0),
      casesPassed: z.int().min(0),
      overallScore: share().optional(),
      overallPassRate: share().optional(),
      meanDelta: z.number().min(-1).max(1).optional(),
    }),
    assay: z
      .looseObject({
        version: z.string(),
        run_id: z.string(),
        targets: z.strictObject({ with: z.string(), without: z.string().optional() }),
        provider: z.string().optional(),
        default_marks: z.literal(true).optional(),
        partial: z.string().optional(),
        not_made: z.int().min(1).optional(),
        unknown: unknown(),
      })
      .optional(),
  }),
)

export type AggregateResult = z.output<ReturnType<typeof aggregateResultSchema>>
export type AggregateCase = z.output<ReturnType<typeof caseSchema>>
export type AggregateRun = z.output<ReturnType<typeof runSchema>>
export type AggregateGrader = z.output<ReturnType<typeof graderSchema>>
export type GraderResult = z.output<ReturnType<typeof graderResultSchema>>

/** The name of the file that the client writes. */
export const AGGREGATE_FILE = 'aggregate-result.json'
