import { lazily } from '../../../lib/lazily.ts'
import { atMostOne, ruleParams } from '../../../lib/schema-rules.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import * as z from '../../../lib/zod.ts'

const SIZES = [3, 5, 7, 9]

/** The field `judges` of checks that a model judges. Its number is odd, as that of `votes`: then no item can be tied. */
export const judgesField = lazily(() => ({
  judges: z
    .array(z.string().min(1))
    .min(3)
    .max(9)
    // Other numbers are reported as such.
    .refine(({ length }) => length < 3 || length > 9 || length % 2 === 1, {
      error: 'an even number of judges can be tied: use an odd number',
      ...ruleParams({ code: 'out-of-range' }),
    })
    .superRefine((names, context) => {
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) === index) continue
        const message = `the judge ${quoteCode(name)} is already on the panel`
        const rule = ruleParams({ code: 'duplicate-name', hint: 'use `votes` to ask a judge several times' })
        context.addIssue({ code: 'custom', message, path: [index], ...rule })
      }
    })
    .meta({ anyOf: SIZES.map(size => ({ minItems: size, maxItems: size })) })
    .optional()
    .describe(
      'A panel: the targets that judge, an odd number from 3 to 9, each with the same number of `votes`. An item holds by majority, a score is the mean, and the record has every vote. `--judge` does not replace them.',
    ),
}))

/** A check has one judge or a panel, not both. */
export function judgeOrPanel<Schema extends z.ZodObject>(schema: Schema): Schema {
  return atMostOne(schema, 'target', 'judges')
}
