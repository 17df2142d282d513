import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { triggerThreshold } from '../model/suite.ts'

/** A statement about an answer: a sentence, or a mapping that contains one. */
const statement = lazily(() =>
  z
    .union([z.string(), z.looseObject({ text: z.string() }).transform(({ text }) => text)])
    .describe('Statement that a good answer fulfils.'),
)

export const evalSchema = lazily(() =>
  z
    .looseObject({
      id: z
        .union([z.int(), z.string().min(1)])
        .optional()
        .describe('Id of the eval, unique within the file.'),
      prompt: z.string().min(1).describe('Prompt for the agent.'),
      expected_output: z.string().optional().describe('Description of a good answer.'),
      files: z.array(z.string().min(1)).optional().describe('Files attached to the prompt.'),
      should_trigger: z.boolean().optional().describe('Whether the prompt should trigger the skill.'),
      assertions: z.array(statement()).optional().describe('Statements that a good answer fulfils.'),
      expectations: z.array(statement()).optional().describe('Alias of `assertions`.'),
      source_id: z.string().min(1).optional().describe('Id of the test that the eval was made from.'),
    })
    .describe('One eval.'),
)

/** Schema of `evals.json` as the skill-creator reads it. Unknown keys belong to other tools. */
export const evalsSchema = lazily(() =>
  z
    .looseObject({
      skill_name: z.string().min(1).optional().describe('Skill under test.'),
      runs_per_query: z.unknown().optional(),
      trigger_threshold: triggerThreshold().describe(
        'Share of trials, from 0 to 1, in which a query must trigger the skill to count as triggered.',
      ),
      evals: z.array(evalSchema()).min(1).describe('List of evals.'),
    })
    .describe('Evals of a skill.'),
)

export type EvalsFile = z.output<ReturnType<typeof evalsSchema>>
export type EvalItem = z.output<ReturnType<typeof evalSchema>>

/** Schema of a trigger set as `run_eval.py` of the skill-creator reads it. Unknown keys belong to other tools. */
export const triggerSetSchema = lazily(() =>
  z
    .array(
      z
        .looseObject({
          query: z.string().min(1).describe('Prompt for the agent.'),
          should_trigger: z.boolean().optional().describe('Whether the prompt should trigger the skill.'),
          id: evalSchema().shape.id,
          source_id: evalSchema().shape.source_id,
        })
        .describe('One query.'),
    )
    .min(1)
    .describe('The queries of a skill.'),
)

/** Schema of a query of a trigger set, as written by `assay transpile`. */
export const triggerSchema = lazily(() =>
  z.strictObject({
    query: z.string(),
    should_trigger: z.boolean(),
    id: z.int(),
    source_id: z.string().optional(),
  }),
)

export type TriggerItem = z.output<ReturnType<typeof triggerSchema>>
