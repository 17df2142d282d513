import { lazily } from '../../../lib/lazily.ts'
import { withFields } from '../../../lib/objects.ts'
import { ruleParams } from '../../../lib/schema-rules.ts'
import * as z from '../../../lib/zod.ts'
import type { GradeContext } from '../../../model/evaluator.ts'
import { askJudge, type JudgeQuestion } from './ask-judge.ts'

const MOST_VOTES = 15

/** The field `votes` of checks that a model judges. */
export const votesField = lazily(() => ({
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
}))

/** A reply, and the judge of a panel that gave it. */
export interface Vote<Reply> {
  readonly judge: string | undefined
  readonly reply: Reply
}

/**
 * Asks the judge of a check, or each one of its panel, for independent replies. Throws if one of them is missing: fewer
 * judges than are written decide nothing. Waits for all of them first, so that each call is counted.
 */
export async function askVotes<Schema extends z.ZodType>(
  question: JudgeQuestion<Schema>,
  context: GradeContext,
): Promise<Vote<z.output<Schema>>[]> {
  const { judges = [undefined], votes = 1 } = question
  if (judges.length === 1 && votes === 1) {
    const judge = judges[0]
    return [{ judge, reply: await askJudge(withFields(question, { judge, vote: 1 }), context) }]
  }
  const asked = judges.flatMap(judge =>
    Array.from({ length: votes }, async (_, index) => {
      const reply = await askJudge(withFields(question, { judge, vote: index + 1 }), context)
      return { judge, reply }
    }),
  )
  await Promise.allSettled(asked)
  return Promise.all(asked)
}

/** The name of the judge in the record of a vote, if there is a panel. */
export function judgeOfVote({ judge }: Pick<Vote<unknown>, 'judge'>): { judge?: string } {
  return judge === undefined ? {} : { judge }
}
