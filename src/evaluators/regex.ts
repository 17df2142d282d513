import { z } from 'zod'
import { defineEvaluator } from './evaluator.ts'
import { textValue } from './shared/text-value.ts'

export const regex = defineEvaluator({
  type: 'regex',
  summary: 'The regular expression matches somewhere in the answer.',
  config: z.strictObject({
    value: textValue.describe('The regular expression, as in JavaScript, without slashes.'),
    flags: z
      .string()
      .regex(/^[imsu]*$/, 'the flags are `i`, `m`, `s` and `u`')
      .optional()
      .describe('`i` ignores case, `m` lets ^ and $ match at lines, `s` lets . match line breaks, `u` is Unicode.'),
  }),
  verbatim: ['value'],
  examples: [
    { title: 'A date in the answer', check: { type: 'regex', value: '\\d{4}-\\d{2}-\\d{2}' } },
    { title: 'Either spelling, in any case', check: { type: 'regex', value: 'colou?r', flags: 'i' } },
  ],
  issues: ({ value, flags }) => {
    try {
      new RegExp(value, flags)
      return []
    } catch (error) {
      return [{ code: 'bad-regex', path: ['value'], message: reason(error as Error) }]
    }
  },
  sentence: ({ config, negate }) => {
    const verb = negate ? 'does not match' : 'matches'
    const flags = config.flags ? ` with flags ${config.flags}` : ''
    return [`Output ${verb} regex${flags}: ${config.value.replaceAll('\n', '\\n')}`]
  },
})

/** V8 says `Invalid regular expression: /(/: Unterminated group`; the part behind the pattern is what a reader needs. */
function reason(error: Error): string {
  const detail = error.message.replace(/^Invalid (regular expression|flags)[\s\S]*?: (?=[A-Z][^:]*$)/, '')
  return `this is not a regular expression: ${detail.charAt(0).toLowerCase()}${detail.slice(1)}`
}
