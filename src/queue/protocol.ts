import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { answerRecordSchema } from '../model/answer.ts'
import { JUDGE_REPEATS } from '../model/judge-repeats.ts'

/** Identifies an attempt by names and hashes, for a worker to find it in its own checkout. Contains no files, prompts or secrets. */
const attemptRefSchema = lazily(() =>
  z.strictObject({
    id: z.string(),
    /** Path from the root of the repository. */
    suite: z.string(),
    suite_hash: z.string(),
    test_id: z.string(),
    target: z.string(),
    /** Whether the target is the control arm of the test. */
    control: z.literal(true).optional(),
    /** The only targets that it is compared with. */
    control_of: z.union([z.string(), z.array(z.string()).readonly()]).optional(),
    /** Hash of the judges of its checks. */
    judges: z.string(),
    trial: z.int().min(1),
    occurrence: z.int().min(1),
  }),
)

/** The unit of work: a batch of attempts, of which a worker returns those it does not start soon, or a conversation. */
export const jobSchema = lazily(() =>
  z.strictObject({
    attempts: z.array(attemptRefSchema()).min(1),
    /** Whether one worker runs all attempts, each after the result of the one before is delivered. */
    is_conversation: z.literal(true).optional(),
  }),
)

/** The settings of the run that answers and grades depend on. */
const runSettingsSchema = lazily(() =>
  z.strictObject({
    ablate: z.string().optional(),
    /** Whether plugin evals run without their control arm. */
    is_single_arm: z.boolean().optional(),
    judge: z.string().optional(),
    judge_repeats: z.int().min(JUDGE_REPEATS.least).max(JUDGE_REPEATS.most).optional(),
    defaults: z.strictObject({ targets: z.array(z.string()).optional(), judge: z.string().optional() }).optional(),
    trials: z.int().min(1).max(100).optional(),
    threshold: z.number().gt(0).max(1).optional(),
    timeout_seconds: z.number().min(1).max(3600).optional(),
    cache: z.boolean().optional(),
  }),
)

/** The description of a run, for workers. */
export const announcementSchema = lazily(() =>
  z.strictObject({
    version: z.string(),
    run_id: z.string(),
    /** When it is true, workers stop and take no new jobs. */
    is_over: z.boolean(),
    /** The queue of each target. BullMQ allows no `:` in names. */
    queues: z.array(z.strictObject({ name: z.string().regex(/^[\w-]+$/), target: z.string() })),
    asked: runSettingsSchema(),
  }),
)

/** A message from a worker to the coordinator. */
export const workerMessageSchema = lazily(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('started'), worker: z.string(), attempt_id: z.string() }),
    z.strictObject({
      type: z.literal('waiting'),
      attempt_id: z.string(),
      target: z.string(),
      ms: z.number(),
      reason: z.string(),
    }),
    z.strictObject({ type: z.literal('warning'), attempt_id: z.string(), message: z.string() }),
    z.strictObject({ type: z.literal('refused'), worker: z.string(), reason: z.string() }),
    z.strictObject({
      type: z.literal('result'),
      worker: z.string(),
      attempt_id: z.string(),
      /** Validated when it is recorded. */
      result: z.record(z.string(), z.unknown()),
      answer: answerRecordSchema().optional(),
      spent_usd: z.number().min(0),
      /** The number of answers with unknown cost. */
      uncounted: z.int().min(0),
    }),
  ]),
)

export type AttemptRef = z.output<ReturnType<typeof attemptRefSchema>>
export type Job = z.output<ReturnType<typeof jobSchema>>
export type RunSettings = z.output<ReturnType<typeof runSettingsSchema>>
export type Announcement = z.output<ReturnType<typeof announcementSchema>>
export type WorkerMessage = z.output<ReturnType<typeof workerMessageSchema>>
export type ResultMessage = Extract<WorkerMessage, { type: 'result' }>
