import * as z from 'zod'
import { answerRecordSchema } from '../model/answer.ts'

/** What a worker finds an attempt by, in its own checkout: names and hashes. No file, no prompt, no secret. */
const attemptRefSchema = z.strictObject({
  id: z.string(),
  /** From the root of the repository. */
  suite: z.string(),
  suite_hash: z.string(),
  test_id: z.string(),
  target: z.string(),
  /** What the judges are whom its checks ask. */
  judges: z.string(),
  trial: z.int().min(1),
  occurrence: z.int().min(1),
})

/** What one worker makes, one after another: an attempt, or those of a conversation. */
export const jobSchema = z.strictObject({ attempts: z.array(attemptRefSchema).min(1) })

/** What was asked for at the coordinator, as far as an answer or a grade depends on it. */
const runSettingsSchema = z.strictObject({
  judge: z.string().optional(),
  defaults: z.strictObject({ targets: z.array(z.string()).optional(), judge: z.string().optional() }).optional(),
  trials: z.int().min(1).max(100).optional(),
  timeout_seconds: z.number().min(1).max(3600).optional(),
  cache: z.boolean().optional(),
})

/** What workers are told of a run. */
export const announcementSchema = z.strictObject({
  version: z.string(),
  run_id: z.string(),
  /** After the end, nothing is begun, and what runs is ended. */
  is_over: z.boolean(),
  /** The queue of each target. BullMQ takes no name with a `:`. */
  queues: z.array(z.strictObject({ name: z.string().regex(/^[\w-]+$/), target: z.string() })),
  asked: runSettingsSchema,
})

/** What workers tell the coordinator. */
export const workerMessageSchema = z.discriminatedUnion('type', [
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
    /** Looked at when it is recorded. */
    result: z.record(z.string(), z.unknown()),
    answer: answerRecordSchema.optional(),
    spent_usd: z.number().min(0),
    /** Answers of which nobody knows what they cost. */
    uncounted: z.int().min(0),
  }),
])

export type AttemptRef = z.output<typeof attemptRefSchema>
export type Job = z.output<typeof jobSchema>
export type RunSettings = z.output<typeof runSettingsSchema>
export type Announcement = z.output<typeof announcementSchema>
export type WorkerMessage = z.output<typeof workerMessageSchema>
export type ResultMessage = Extract<WorkerMessage, { type: 'result' }>

/** What the mail with the result of an attempt is known by. */
export function resultId(attemptId: string): string {
  return `result-${attemptId}`
}
