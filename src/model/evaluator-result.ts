import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import { pairSchema } from './pair.ts'

const voteSchema = lazily(() =>
  z
    .strictObject({
      satisfied: z.boolean().optional(),
      score: z.number().min(0).max(10).optional().describe('From 0 to 1, or to 10 for an item with `score_ranges`.'),
      reasoning: z.string(),
      judge: z.string().optional().describe('The target that judged, if there are several `judges`.'),
    })
    .describe('One of several judgements.'),
)

const votes = lazily(() =>
  z.array(voteSchema()).optional().describe('Each judgement, if there are several `votes` or `judges`.'),
)

const itemSchema = lazily(() =>
  z
    .strictObject({
      id: z.string(),
      text: z.string().describe('What a good answer does.'),
      satisfied: z.boolean().optional().describe('Whether the answer satisfies the item.'),
      score: z.number().min(0).max(10).optional().describe('From 0 to 10, for an item with `score_ranges`.'),
      weight: z.number().min(0),
      required: z.boolean().describe('Whether the test fails if the item is missed.'),
      required_min_score: z
        .number()
        .min(0)
        .max(10)
        .optional()
        .describe('The lowest score that does not miss the item, for a required item with `score_ranges`.'),
      passed: z.boolean().describe('Whether the item was not missed.'),
      reasoning: z.string(),
      votes: votes(),
    })
    .describe('The judgement of one rubric.'),
)

const triggerSchema = lazily(() =>
  z
    .strictObject({
      skill: z.string(),
      should_trigger: z
        .boolean()
        .describe('Whether the skill should be used, with `negate` of the check and of its parents applied.'),
      triggered: z.boolean().optional().describe('Whether the skill was used; absent if unknown.'),
    })
    .describe('For a check of whether a skill is used.'),
)

export const evaluatorResultSchema = lazily(() =>
  z
    .strictObject({
      name: z.string().describe('Name of the check, unique within the test.'),
      type: z.string().describe('Type of the check.'),
      text: z.string().describe('The check in words.'),
      score: z.number().min(0).max(1).nullable().describe('From 0 to 1; null if the check was not judged.'),
      weight: z.number().min(0).describe('Weight in the score of the test.'),
      required: z
        .number()
        .nullable()
        .describe('The lowest score that does not fail the test; null if the check is not required.'),
      passed: z.boolean().describe('Whether the score reaches `required`, else 0.8.'),
      negate: z
        .literal(true)
        .optional()
        .describe(
          'The check is negated: score, hits and misses are inverted. Absent if the check is missed because a file does not exist.',
        ),
      hits: z.array(z.string()).describe('What speaks for the answer.'),
      misses: z.array(z.string()).describe('What speaks against it.'),
      reasoning: z.string().optional().describe('Reasoning of the judge.'),
      details: z.unknown().optional().describe('Further details of the check.'),
      error: z
        .strictObject({ code: z.string(), message: z.string() })
        .optional()
        .describe('Why the check has no score.'),
      trigger: triggerSchema().optional(),
      items: z.array(itemSchema()).optional().describe('The judgement of each rubric.'),
      votes: votes(),
      pair: pairSchema().optional(),
      not_applicable: z
        .literal(true)
        .optional()
        .describe('The check does not apply to the target: it neither passes nor fails, and has no weight.'),
      not_run: z.literal(true).optional().describe('Skipped, because a gate check was missed.'),
      file: z.string().optional().describe('File of the check, if it is not the file of the test.'),
      line: z.int().describe('Line of the check.'),
      duration_ms: z.number().min(0).describe('Duration of grading in milliseconds.'),
      get evaluator_results() {
        return z.array(evaluatorResultSchema()).optional().describe('Results of the checks inside this one.')
      },
    })
    .describe('The result of one check.'),
)

export type RubricItem = z.output<ReturnType<typeof itemSchema>>
export type Trigger = z.output<ReturnType<typeof triggerSchema>>
export type EvaluatorResult = z.output<ReturnType<typeof evaluatorResultSchema>>

/** The triggers of checks that apply, at any depth; undefined if none is about a skill. */
export function triggersIn(checks: readonly EvaluatorResult[]): readonly Trigger[] | undefined {
  if (!checks.some(isAboutSkills)) return undefined
  return checks
    .filter(isAboutSkills)
    .flatMap(({ trigger, evaluator_results: inside = [] }) => [
      ...(trigger ? [trigger] : []),
      ...(triggersIn(inside) ?? []),
    ])
}

/** Whether a check that applies to the target, or one inside it, is about a skill. */
function isAboutSkills({ trigger, not_applicable, evaluator_results: inside }: EvaluatorResult): boolean {
  return !not_applicable && (trigger !== undefined || (inside?.some(isAboutSkills) ?? false))
}
