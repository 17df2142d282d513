import * as z from 'zod'
import { answerSchema } from './answer.ts'

/** An answer as it arrived: a line of `answers.jsonl`. */
export const answerRecordSchema = z.strictObject({
  attempt_id: z.string(),
  request_id: z.string(),
  test_id: z.string(),
  target: z.string(),
  trial: z.int().min(1),
  timestamp: z.string(),
  answer: answerSchema,
})

export type AnswerRecord = z.output<typeof answerRecordSchema>
