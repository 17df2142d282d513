import { z } from 'zod'
import { cutText } from '../lib/cut-text.ts'
import { dateFormat } from '../lib/date-format.ts'
import { isNestedWithin } from '../lib/is-nested-within.ts'
import { parseJsonPath, valueAt } from '../lib/json-path.ts'
import { parseJson } from '../lib/parse-json.ts'
import { regexProblem } from '../lib/regex-problem.ts'
import { shown } from '../lib/shown.ts'
import { weightedAverage } from '../lib/weighted-average.ts'
import type { Issue } from '../model/issue.ts'
import { looksLikeMessages } from '../model/message.ts'
import { textOf } from '../model/message-text.ts'
import type { TestFacts } from '../model/test-facts.ts'
import { defineEvaluator } from './evaluator.ts'
import { fieldMatches } from './shared/field-match.ts'
import { jsonInText } from './shared/json-in-text.ts'
import { namesText, readNames } from './shared/sentences/names.ts'
import { negation } from './shared/sentences/negated.ts'

const fieldSchema = z
  .strictObject({
    path: z.string().describe('Where the field is: keys with dots, list items as `[n]`.'),
    match: z
      .enum(Object.keys(fieldMatches) as (keyof typeof fieldMatches)[])
      .default('exact')
      .describe('How the two values are compared.'),
    weight: z.number().min(0).default(1).describe('Share of the field in the score.'),
    required: z.boolean().default(false).describe('The whole check scores 0 when this field does not match.'),
    tolerance: z.number().min(0).optional().describe('With `numeric_tolerance`: how far apart the numbers may be.'),
    relative: z.boolean().optional().describe('The tolerance is a share of the expected number.'),
    formats: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('With `date`: how dates are written, as `DD/MM/YYYY`.'),
  })
  .describe('A field that is compared.')

export const fieldAccuracy = defineEvaluator({
  type: 'field_accuracy',
  summary: 'Fields of the answer, read as JSON, match those of the expected output.',
  notes: [
    'The answer is read as JSON: the whole text, else its one fenced block, else what stands between its outermost braces. The expected values are those of the test: `expected_output` as a mapping or a list, as a string of JSON, or as messages whose last one by the assistant is JSON.',
    'A field that is absent, or does not match, scores 0; so do all fields of an answer without JSON. A path that the expected output does not have is an error before the run.',
    '`exact` compares without conversion: 1 is not "1". `contains`: the text of the field contains the expected text. `regex`: the expected text is the pattern. `numeric_tolerance` reads numbers as people write them: `1,200.50`, `1.200,50`, `$1,200`. `date` compares calendar days, whatever the time beside them: ISO 8601, the `formats` given, else common forms; a date that could be two days is an error.',
  ],
  config: z.strictObject({
    fields: z.array(fieldSchema).min(1).describe('The fields that are compared.'),
    aggregation: z
      .enum(['weighted_average', 'minimum', 'all_or_nothing'])
      .default('weighted_average')
      .describe('How the scores of the fields make one.'),
  }),
  examples: [
    {
      title: 'An invoice',
      check: {
        type: 'field_accuracy',
        fields: [
          { path: 'invoice.number', required: true },
          { path: 'invoice.total', match: 'numeric_tolerance', tolerance: 0.01 },
        ],
      },
      expected_output: { invoice: { number: 'A-17', total: 1200.5 } },
    },
  ],
  issues: ({ fields }) => [
    ...fields.flatMap(fieldIssues),
    ...(fields.every(({ weight }) => weight === 0)
      ? [{ code: 'zero-weights' as const, path: ['fields'], message: 'all fields have the weight 0' }]
      : []),
  ],
  issuesIn: ({ fields }, test) => {
    const expected = expectedValue(test)
    if (expected === undefined) {
      return [unknownPath(['fields'], 'the test has no structured `expected_output` to compare with')]
    }
    return fields.flatMap((field, index): Issue[] => {
      const { path, match } = field
      const steps = parseJsonPath(path)
      if (!steps) return []
      const at = ['fields', index, 'path']
      const found = valueAt(expected.value, steps)
      if (!found) return [unknownPath(at, `the test's \`expected_output\` has no ${shown(path)}`)]
      const [code, problem] =
        match === 'regex'
          ? (['bad-regex', expectedRegexProblem(found.value)] as const)
          : (['bad-expected', fieldMatches[match].problem?.(found.value, field)] as const)
      return problem === undefined ? [] : [{ code, path: at, message: `${shown(path)}: ${problem}` }]
    })
  },
  sentence: ({ config, negate }) => {
    const paths = namesText(config.fields.map(({ path }) => path))
    const ways = config.fields.flatMap(field => {
      const words = fieldMatches[field.match].words?.(field)
      return words === undefined ? [] : [`${field.path} ${words}`]
    })
    const more = ways.length === 0 ? '' : `: ${ways.join(', ')}`
    return [`Fields ${paths} ${negate ? 'do not match' : 'match'} expected values${more}`]
  },
  fromSentence: (sentence, test) => {
    const [, paths, verb] = /^Fields (.+?) (do not match|match) expected values$/.exec(sentence) ?? []
    const expected = expectedValue(test)?.value
    const fields = (readNames(paths ?? '') ?? []).map(path => ({ path }))
    // Without values to compare with, it is only a sentence.
    const isKnown =
      fields.length > 0 &&
      fields.every(({ path }) => {
        const steps = parseJsonPath(path)
        return steps && valueAt(expected, steps)
      })
    return isKnown ? { fields, ...negation(verb !== 'match') } : undefined
  },
  unsaid: ({ fields, aggregation }) => [
    ...(fields.some(({ weight }) => weight !== 1) ? ['the weights of fields'] : []),
    ...(fields.some(({ required }) => required) ? ['that fields are required'] : []),
    ...(aggregation === 'weighted_average' ? [] : [`\`aggregation: ${aggregation}\``]),
  ],
  grade: ({ fields, aggregation }, { answer, test }, { host }) => {
    const expected = expectedValue(test)?.value
    const actual = jsonInText(answer.text)
    const compared = fields.map(field => {
      const steps = parseJsonPath(field.path) ?? []
      const wanted = valueAt(expected, steps)?.value
      const found = actual && valueAt(actual.value, steps)
      const matches = found !== undefined && fieldMatches[field.match].matches(found.value, wanted, field, host)
      return { ...field, matches, wanted, found }
    })
    const [hits, misses] = [true, false].map(matches => compared.filter(field => field.matches === matches))
    return {
      score: misses?.some(({ required }) => required) ? 0 : AGGREGATIONS[aggregation](compared),
      hits: (hits ?? []).map(({ path, found }) => `${path}: ${valueText(found)}`),
      misses: [
        ...(actual ? [] : ['the answer has no JSON']),
        ...(misses ?? []).map(({ path, wanted, found, required }) => {
          const needed = required ? ' (required)' : ''
          return `${path}${needed}: expected ${valueText({ value: wanted })}, found ${valueText(found)}`
        }),
      ],
    }
  },
})

type Compared = readonly { readonly matches: boolean; readonly weight: number }[]

/** How the fields make one score. Weights count in the average alone. */
const AGGREGATIONS = {
  weighted_average: (fields: Compared) =>
    weightedAverage(fields.map(({ matches, weight }) => ({ score: matches ? 1 : 0, weight }))),
  minimum: allMatch,
  all_or_nothing: allMatch,
}

function allMatch(fields: Compared): number {
  return fields.every(({ matches }) => matches) ? 1 : 0
}

function valueText(found: { readonly value: unknown } | undefined): string {
  if (!found) return 'nothing'
  return isNestedWithin(found.value, 100) ? cutText(JSON.stringify(found.value), 100) : 'something nested deeply'
}

function fieldIssues(field: z.output<typeof fieldSchema>, index: number): Issue[] {
  const { path, match, formats = [] } = field
  const unread = SETTINGS.filter(key => field[key] !== undefined && !fieldMatches[match].reads?.includes(key))
  return [
    ...(parseJsonPath(path) ? [] : [malformed(index, path)]),
    ...unread.map(key => unreadSetting(['fields', index, key], match, key)),
    ...formats.flatMap((format, place) =>
      dateFormat(format) ? [] : [noFormat(['fields', index, 'formats', place], format)],
    ),
  ]
}

const SETTINGS = ['tolerance', 'relative', 'formats'] as const

function unreadSetting(path: (string | number)[], match: string, key: (typeof SETTINGS)[number]): Issue {
  const reader = Object.entries(fieldMatches).find(([, { reads }]) => reads?.includes(key))?.[0]
  const message = `\`${key}\` is not read when fields are compared by \`${match}\``
  return { code: 'unread-setting', path, part: 'key', message, hint: `add \`match: ${reader}\`, or remove it` }
}

function noFormat(path: (string | number)[], format: string): Issue {
  const hint = 'write a year (`YYYY`), a month (`MM`, `M`, `MMM`, `MMMM`) and a day (`DD`, `D`): `DD/MM/YYYY`'
  return { code: 'bad-date-format', path, message: `${shown(format)} is not a form of a date`, hint }
}

function expectedRegexProblem(value: unknown): string | undefined {
  return typeof value === 'string'
    ? regexProblem(value)
    : 'the expected value must be a regular expression, as a string'
}

function malformed(index: number, path: string): Issue {
  const hint = 'write keys with dots and list items as `[n]`: `items[0].price`'
  return { ...unknownPath(['fields', index, 'path'], `${shown(path)} is not a path`), hint }
}

function unknownPath(path: (string | number)[], message: string): Issue {
  return { code: 'unknown-path', path, message }
}

/** The structured form of a test's expected output: as it is, or read from text that is JSON. */
function expectedValue({ expected_output: expected }: TestFacts): { value: object } | undefined {
  if (looksLikeMessages(expected)) return parsed(textOf(expected.findLast(message => message.role === 'assistant')))
  if (typeof expected === 'string') return parsed(expected)
  return typeof expected === 'object' && expected !== null ? { value: expected } : undefined
}

function parsed(text: string): { value: object } | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? { value } : undefined
}
