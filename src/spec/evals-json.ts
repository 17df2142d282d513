import * as z from 'zod'
import { triggerThreshold } from '../model/suite.ts'

/** A statement about an answer: a sentence, or a mapping that holds one. */
const statement = z
  .union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)])
  .describe('Something that should be true of the answer.')

export const evalSchema = z
  .looseObject({
    id: z
      .union([z.int(), z.string().min(1)])
      .optional()
      .describe('Identifies the eval within the file.'),
    prompt: z.string().min(1).describe('What is asked.'),
    expected_output: z.string().optional().describe('What a good answer is like.'),
    files: z.array(z.string().min(1)).optional().describe('Files that go along with the prompt.'),
    should_trigger: z.boolean().optional().describe('Whether the skill should be used.'),
    assertions: z.array(statement).optional().describe('What should be true of the answer.'),
    expectations: z.array(statement).optional().describe('Another name of `assertions`.'),
    source_id: z.string().min(1).optional().describe('The id of the test that it was made from.'),
  })
  .describe('One eval.')

/** `evals.json`, as the skill-creator reads it. Keys that we do not know belong to others. */
export const evalsSchema = z
  .looseObject({
    skill_name: z.string().min(1).optional().describe('The skill that the evals are about.'),
    runs_per_query: z.unknown().optional(),
    trigger_threshold: triggerThreshold.describe('The share of trials from which on the skill counts as used.'),
    evals: z.array(evalSchema).min(1).describe('The evals.'),
  })
  .describe('Evals of a skill.')

export type EvalsFile = z.output<typeof evalsSchema>
export type EvalItem = z.output<typeof evalSchema>

/** A trigger set, as `run_eval.py` of the skill-creator reads it. Keys that we do not know belong to others. */
export const triggerSetSchema = z
  .array(
    z
      .looseObject({
        query: z.string().min(1).describe('What is asked.'),
        should_trigger: z.boolean().optional().describe('Whether the skill should be used.'),
        id: evalSchema.shape.id,
        source_id: evalSchema.shape.source_id,
      })
      .describe('One query.'),
  )
  .min(1)
  .describe('The queries of a skill.')

/** One query of a trigger set, as we write it. */
export const triggerSchema = z.strictObject({
  query: z.string(),
  should_trigger: z.boolean(),
  id: z.int(),
  source_id: z.string().optional(),
})

export type TriggerItem = z.output<typeof triggerSchema>
