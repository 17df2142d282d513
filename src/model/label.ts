import { lazily } from '../lib/lazily.ts'
import { sha256, shortHash } from '../lib/sha256.ts'
import * as z from '../lib/zod.ts'
import type { Result } from './result.ts'

/** A line of `.assay/labels/<suite>.jsonl`: what a person says of an answer. It does not name its target or its verdict. */
export const labelSchema = lazily(() =>
  z
    .strictObject({
      attempt_id: z.string().describe('The attempt that was shown.'),
      test_id: z.string(),
      task_hash: z
        .string()
        .optional()
        .describe('Identifies what was shown besides the answer: input, criteria, expected output and note.'),
      answer_sha256: z.string().describe('SHA-256 of the answer, with the files that the agent changed, if any.'),
      label: z
        .union([z.enum(['pass', 'fail', 'unsure']), z.number().min(0).max(1)])
        .describe('Whether the answer passes, or a score from 0 to 1. `unsure` counts in no figure.'),
      drawn_by: z
        .string()
        .optional()
        .describe('Identifies the checks and the judges by whose verdicts the answer was drawn; absent: by these.'),
      by: z.string().min(1).describe('The person who labelled it.'),
      at: z.string().describe('The time of the label.'),
      note: z.string().optional().describe('Why, in the words of the person.'),
    })
    .describe('What a person says of an answer.'),
)

export type Label = z.output<ReturnType<typeof labelSchema>>

/** What a label is about: equal answers to the same task have the same label. */
export interface LabelledAnswer {
  readonly test_id: string
  readonly task_hash: string
  readonly answer_sha256: string
}

/** Undefined if the attempt has no answer. */
export function labelledAnswer(
  result: Pick<Result, 'test_id' | 'input' | 'criteria' | 'expected_output' | 'note' | 'answer' | 'changes'>,
): LabelledAnswer | undefined {
  const { test_id, input, criteria, expected_output: expected, note, answer, changes = [] } = result
  if (answer === null) return undefined
  // The person judges the changed files too: `Done.` says nothing about them.
  const shown = changes.length === 0 ? answer : JSON.stringify([answer, changes])
  const more = expected === undefined && note === undefined ? [] : [expected, note]
  const task_hash = shortHash(JSON.stringify([input, criteria, ...more]))
  return { test_id, task_hash, answer_sha256: sha256(shown) }
}

/** Whether a label is about an answer. A label without a task is about every task of a test with that id. */
export function isLabelOf(
  label: Pick<Label, 'test_id' | 'task_hash' | 'answer_sha256'>,
  answer: LabelledAnswer,
): boolean {
  return (
    label.test_id === answer.test_id &&
    label.answer_sha256 === answer.answer_sha256 &&
    (label.task_hash === undefined || label.task_hash === answer.task_hash)
  )
}

/**
 * Whether a label is one of a sample for these checks and judges. Answers are drawn half from what a judge passes and half
 * from what it fails: by the verdicts of another one, they are no such sample.
 */
export function isDrawnFor({ drawn_by }: Pick<Label, 'drawn_by'>, instrument: string | undefined): boolean {
  return drawn_by === undefined || drawn_by === instrument
}
