import { spellingsOf } from '../evaluators/lookup.ts'
import { lazily } from '../lib/lazily.ts'
import { hintsOf, withHints, withMetaOf } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { checkFields } from '../model/check.ts'
import type { Evaluator } from '../model/evaluator.ts'
import { FOREIGN_JUDGE_KEYS } from './foreign-keys.ts'

/** Type names of custom judges. */
export const CUSTOM_TYPE = /^[a-z0-9][a-z0-9_-]*$/

/** Schema of a check of one type: the common fields and those of the type. */
export function checkSchema(evaluator: Evaluator, check?: z.ZodType): z.ZodObject {
  const own = evaluator.config(check)
  const spellings = spellingsOf(evaluator) as [string, ...string[]]
  const type = z.enum(spellings).describe(evaluator.summary)
  const schema = withMetaOf(own.safeExtend({ type, ...checkFields(), ...own.shape }), own)
  const keys = { ...(evaluator.judge ? FOREIGN_JUDGE_KEYS : {}), ...hintsOf(own)?.keys }
  return withHints(schema, 'config' in own.shape ? { keys, otherKeys: IN_CONFIG } : { keys })
}

const IN_CONFIG = 'write settings of the judge under `config:`'

/** Schema of a check with a custom judge, whose settings are the other fields. */
export const customCheckSchema = lazily(() =>
  z.looseObject({
    type: z
      .string()
      .regex(CUSTOM_TYPE, 'is not a valid type name: use lowercase letters, digits, `_` and `-`')
      .describe('Name of a judge in `.assay/judges`.'),
    ...checkFields(),
  }),
)

/** Keys of the list of checks: `assert` and its aliases. */
export const CHECK_LIST_KEYS = ['assert', 'assertions', 'evaluators'] as const

export function checkLists(check: z.ZodType, description: string) {
  const list = z.array(check).optional()
  return {
    assert: list.describe(description),
    assertions: list.describe('Alias of `assert`.'),
    evaluators: list.describe('Alias of `assert`.'),
  }
}
