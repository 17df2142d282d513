import * as z from 'zod'
import { regexProblem } from '../lib/patterns.ts'
import { singleLine } from '../lib/text/quote.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { negateField } from './shared/sentences.ts'
import { describeUnwanted, textValue } from './shared/texts.ts'
import { matchesPattern } from './shared/unjudged.ts'

export const regex = defineEvaluator({
  type: 'regex',
  summary: 'The regular expression matches somewhere in the answer.',
  config: z.strictObject({
    value: textValue.describe('A JavaScript regular expression, without slashes.'),
    flags: z
      .string()
      .regex(/^[imsu]*$/, 'has flags other than `i`, `m`, `s` and `u`')
      .optional()
      .describe(
        '`i` ignores case, with `m` ^ and $ match at line breaks, with `s` . matches line breaks, `u` is Unicode.',
      ),
  }),
  keys: {
    verbatim: ['value'],
  },
  examples: [
    { title: 'A date in the answer', check: { type: 'regex', value: '\\d{4}-\\d{2}-\\d{2}' } },
    { title: 'Either spelling, in any case', check: { type: 'regex', value: 'colou?r', flags: 'i' } },
  ],
  validate: {
    check: ({ value, flags }) => {
      const wrongFlags = regexProblem('', flags)
      if (wrongFlags) return [{ code: 'bad-regex', path: ['flags'], message: 'a flag is repeated' }]
      const message = regexProblem(value, flags)
      return message ? [{ code: 'bad-regex', path: ['value'], message }] : []
    },
  },
  sentences: {
    write: ({ config, negate }) => {
      const verb = negate ? 'does not match' : 'matches'
      const flags = config.flags ? ` with flags ${config.flags}` : ''
      return [`Output ${verb} regex${flags}: ${onOneLine(config.value)}`]
    },
    parse: sentence => {
      const found = /^Output (matches|does not match) regex(?: with flags ([imsu]+))?: (.+)$/s.exec(sentence)
      if (!found) return undefined
      const [, verb, flags, value = ''] = found
      if (regexProblem(value, flags) !== undefined) return undefined
      return { value, ...(flags === undefined ? {} : { flags }), ...negateField(verb !== 'matches') }
    },
  },
  grade: ({ value, flags = '' }, { answer }, { host }) => {
    const found = matchesPattern(value, flags, answer.text, host)
    const pattern = `/${singleLine(value)}/${flags}`
    return found
      ? { score: 1, hits: [`matches ${pattern}`], misses: [], negated_misses: [describeUnwanted('match', pattern)] }
      : { score: 0, hits: [], misses: [`does not match ${pattern}`] }
  },
})

/** Escapes line breaks: to an expression, a line break with or without a backslash equals `\n`. */
function onOneLine(pattern: string): string {
  return pattern.replace(/(\\*)\n/g, (_, slashes: string) => `${slashes.slice(slashes.length % 2)}\\n`)
}
