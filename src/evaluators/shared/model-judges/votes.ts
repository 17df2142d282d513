import * as z from 'zod'
import { ruleParams } from '../../../lib/schema-rules.ts'
import type { GradeContext } from '../../../model/evaluator.ts'
import { askJudge, type JudgeQuestion } from './ask-judge.ts'

const MOST_VOTES = 15

/** The field `votes` of checks that a model judges. */
export const votesField = {
  votes: z
    .int()
    .min(1)
    .max(MOST_VOTES)
    // Smaller numbers are reported as such.
    .refine(votes => votes < 1 || votes % 2 === 1, {
      error: 'is even, so that votes can be tied: use an odd number',
      ...ruleParams({ code: 'out-of-range' }),
    })
    .meta({ not: { multipleOf: 2 } })
    .optional()
    .describe(
      'Number of independent judgements, which is odd. An item holds by majority, a score is the mean, and the record has every vote. Default: 1.',
    ),
}

/** Asks a judge for several independent replies. */
export function askVotes<Schema extends z.ZodType>(
  question: JudgeQuestion<Schema>,
  votes: number,
  context: GradeContext,
): Promise<z.output<Schema>[]> {
  return Promise.all(Array.from({ length: votes }, (_, index) => askJudge({ ...question, vote: index + 1 }, context)))
}
