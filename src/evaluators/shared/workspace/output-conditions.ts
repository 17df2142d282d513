import { lazily } from '../../../lib/lazily.ts'
import { regexProblem } from '../../../lib/patterns.ts'
import { atLeastOne } from '../../../lib/schema-rules.ts'
import { textDifference } from '../../../lib/text/diff.ts'
import { quoteText, singleLine } from '../../../lib/text/quote.ts'
import * as z from '../../../lib/zod.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import type { Fact } from '../fact.ts'
import { matchesPattern } from '../unjudged.ts'
import { equalTexts } from './content-conditions.ts'

/** Conditions on an output of a program. */
export const outputCondition = lazily(() =>
  atLeastOne(
    z.strictObject({
      contains: z.string().min(1).optional().describe('Text that the output contains, case-sensitive.'),
      regex: z.string().min(1).optional().describe('Regular expression that matches somewhere in the output.'),
      flags: z
        .string()
        .regex(/^[imsu]*$/, 'has flags other than `i`, `m`, `s` and `u`')
        .optional()
        .describe('Flags of `regex`: `i`, `m`, `s`, `u`.'),
      equals: z.string().optional().describe('The whole output; a line break at the end is ignored.'),
    }),
    'contains',
    'regex',
    'equals',
  ),
)

export type OutputCondition = z.output<ReturnType<typeof outputCondition>>

/** Reports invalid patterns. */
export function outputIssues(condition: OutputCondition | undefined, key: string): Issue[] {
  const { regex, flags } = condition ?? {}
  if (flags !== undefined && regex === undefined)
    return [
      { code: 'unread-setting', path: [key, 'flags'], part: 'key', message: '`flags` has no effect without `regex`' },
    ]
  if (regexProblem('', flags) !== undefined)
    return [{ code: 'bad-regex', path: [key, 'flags'], message: 'a flag is repeated' }]
  const message = regex === undefined ? undefined : regexProblem(regex, flags)
  return message === undefined ? [] : [{ code: 'bad-regex', path: [key, 'regex'], message }]
}

/** Compares an output with its conditions, one fact each. Throws `Unjudged` if only the end of the output is known. */
export function outputFacts(name: 'stdout' | 'stderr', output: string, condition: OutputCondition, host: Host): Fact[] {
  // The host marks an output that it has cut.
  if (name === 'stderr' && output.startsWith('…') && output.length > 1000) throw cutError()
  const { contains, regex, flags = '', equals } = condition
  const facts: Fact[] = []
  if (contains !== undefined) {
    const kept = output.includes(contains)
    facts.push({ kept, text: `${name} ${kept ? 'contains' : 'does not contain'} ${quoteText(contains)}` })
  }
  if (regex !== undefined) {
    const kept = matchesPattern(regex, flags, output, host)
    facts.push({ kept, text: `${name} ${kept ? 'matches' : 'does not match'} /${singleLine(regex)}/${flags}` })
  }
  if (equals !== undefined) {
    const kept = equalTexts(output, equals)
    facts.push({ kept, text: kept ? `${name} equals ${quoteText(equals)}` : textDifference(output, equals, name) })
  }
  return facts
}

function cutError(): Unjudged {
  return new Unjudged(
    'output-too-large',
    'the command printed more than 64 KB to stderr, of which only the end is kept: redirect it to stdout with `2>&1`',
  )
}
