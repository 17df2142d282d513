import { regexProblem } from '../lib/patterns.ts'
import { regexSamples } from '../lib/regex/regex-samples.ts'
import { withHints } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import { singleLine } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import type { Grade } from '../model/grade.ts'
import type { Host } from '../model/host.ts'
import type { Issue } from '../model/issue.ts'
import { inexpressible } from '../model/plugin-grader.ts'
import { defineEvaluator } from './define-evaluator.ts'
import {
  type CountRange,
  countField,
  countOf,
  describeTimes,
  isWithin,
  parseRange,
  RANGE_WORDS,
  rangeIssues,
  rangeOf,
} from './shared/count-range.ts'
import { regexGraders } from './shared/plugin-graders.ts'
import { textProbes } from './shared/probes.ts'
import { negateField } from './shared/sentences.ts'
import { gradeSubject, SUBJECT_HINTS, subjectField, subjectNeeds, withName } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'
import { describeUnwanted, textValue } from './shared/texts.ts'
import { countMatches, matchesPattern } from './shared/unjudged.ts'

const config = () =>
  withHints(
    z.strictObject({
      value: textValue().describe('A JavaScript regular expression, without slashes.'),
      flags: z
        .string()
        .regex(/^[imsu]*$/, 'has flags other than `i`, `m`, `s` and `u`')
        .optional()
        .describe(
          '`i` ignores case, with `m` ^ and $ match at line breaks, with `s` . matches line breaks, `u` is Unicode.',
        ),
      count: countField()
        .optional()
        .describe('Number of matches: a number, or a mapping with `min` and `max`. Default: at least 1.'),
      ...subjectField(),
    }),
    SUBJECT_HINTS,
  )

type Config = z.output<ReturnType<typeof config>>

export const regex = defineEvaluator({
  type: 'regex',
  summary: 'The regular expression matches somewhere in the answer.',
  notes: [
    'With `count`, the score is 1 if the number of matches is within the bounds. Matches do not overlap, and an empty match counts: `a*` matches `b` twice, before and after it. With `negate`, the number must be outside the bounds. A pattern that takes more than a second is an error.',
  ],
  config,
  keys: {
    verbatim: ['value'],
  },
  examples: [
    { title: 'A date in the answer', check: { type: 'regex', value: '\\d{4}-\\d{2}-\\d{2}' } },
    { title: 'Either spelling, in any case', check: { type: 'regex', value: 'colou?r', flags: 'i' } },
    { title: 'Three list items', check: { type: 'regex', value: '^- ', flags: 'm', count: 3 } },
    {
      title: 'In a file of the workspace',
      check: { type: 'regex', value: 'TODO', count: { max: 2 }, subject: { file: 'src/app.ts' } },
    },
  ],
  validate: {
    check: ({ value, flags, count }) => [
      ...patternIssues(value, flags),
      ...(typeof count === 'object' ? rangeIssues(rangeOf(count), ['count']) : []),
    ],
  },
  needs: subjectNeeds,
  probing: { probes: probesOf },
  plugin: ({ config: { value: pattern, flags, count, subject }, negate }) => {
    const { min, max } = count === undefined ? { min: 1 } : rangeOf(count)
    const isOpen = min === 1 && max === undefined
    if (isOpen || (negate && max === 0)) return regexGraders({ pattern, flags, subject, negate: negate && isOpen })
    if (min !== max) return inexpressible('a `count` other than a number')
    return negate ? inexpressible('a negated `count`') : regexGraders({ pattern, flags, subject, count: min })
  },
  sentences: withSubject<Config>({
    write: ({ config, negate }) => {
      const verb = negate ? 'does not match' : 'matches'
      const flags = config.flags ? ` with flags ${config.flags}` : ''
      const times = config.count === undefined ? '' : ` ${describeTimes(rangeOf(config.count))}`
      return [`Output ${verb} regex${flags}${times}: ${onOneLine(config.value)}`]
    },
    parse: sentence => {
      const found = SAID.exec(sentence)
      if (!found) return undefined
      const [, verb, flags, words, value = ''] = found
      const range = words === undefined ? undefined : parseRange(words)
      const isInvalid = patternIssues(value, flags).length > 0 || (range && rangeIssues(range).length > 0)
      if (isInvalid) return undefined
      return {
        value,
        ...(flags === undefined ? {} : { flags }),
        ...(range === undefined ? {} : { count: countOf(range) }),
        ...negateField(verb !== 'matches'),
      }
    },
  }),
  grade: (fields, of, context) =>
    gradeSubject(fields.subject, of, context, {
      findsParts: findsParts(fields),
      grade: (text, name) => withName(gradeMatches(fields, text, context.host), name),
    }),
})

/** Texts that match once or, if matches are counted, as often as is allowed and once more. */
function probesOf({ value, flags, count, subject }: Config) {
  const { texts, is_complete } = regexSamples(value, flags)
  if (count === undefined) return textProbes(texts, subject, is_complete)
  const { min, max = min } = rangeOf(count)
  const counts = [min, max, max + 1].filter(times => times <= MOST_MATCHES)
  const repeated = counts.flatMap(times =>
    ['\n', ' ', ''].flatMap(gap => texts.map(text => Array(times).fill(text).join(gap))),
  )
  // Neighbouring texts may match together.
  return textProbes(repeated, subject, false)
}

const MOST_MATCHES = 200

const SAID = new RegExp(
  `^Output (matches|does not match) regex(?: with flags ([imsu]+))?(?: (${RANGE_WORDS} times?))?: (.+)$`,
  's',
)

function patternIssues(value: string, flags: string | undefined): Issue[] {
  const wrongFlags = regexProblem('', flags)
  if (wrongFlags) return [{ code: 'bad-regex', path: ['flags'], message: 'a flag is repeated' }]
  const message = regexProblem(value, flags)
  return message ? [{ code: 'bad-regex', path: ['value'], message }] : []
}

/** Whether a match in the beginning of a text is also one in the whole text. */
function findsParts({ value, count }: Config): boolean {
  const isOpen = count === undefined || rangeOf(count).max === undefined
  return isOpen && !/\(\?<?!|\$/.test(value)
}

function gradeMatches({ value, flags = '', count }: Config, text: string, host: Host): Grade {
  const pattern = `/${singleLine(value)}/${flags}`
  if (count !== undefined) return gradeCount(countMatches(value, flags, text, host), rangeOf(count), pattern)
  return matchesPattern(value, flags, text, host)
    ? { score: 1, hits: [`matches ${pattern}`], misses: [], negated_misses: [describeUnwanted('match', pattern)] }
    : { score: 0, hits: [], misses: [`does not match ${pattern}`] }
}

function gradeCount(found: number, range: CountRange, pattern: string): Grade {
  const matches = `matches ${pattern} ${plural(found, 'time')}`
  const expected = describeTimes(range)
  if (!isWithin(found, range)) return { score: 0, hits: [], misses: [`${matches}, expected ${expected}`] }
  return {
    score: 1,
    hits: [matches],
    misses: [],
    negated_misses: [`must not match ${pattern} ${expected}, but matches ${plural(found, 'time')}`],
  }
}

/** Escapes line breaks: to an expression, a line break with or without a backslash equals `\n`. */
function onOneLine(pattern: string): string {
  return pattern.replace(/(\\*)\n/g, (_, slashes: string) => `${slashes.slice(slashes.length % 2)}\\n`)
}
