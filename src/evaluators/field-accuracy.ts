import { z } from 'zod'
import { parseJsonPath, valueAt } from '../lib/json-path.ts'
import { regexProblem } from '../lib/regex-problem.ts'
import { shown } from '../lib/shown.ts'
import type { Issue } from '../model/issue.ts'
import { looksLikeMessages } from '../model/message.ts'
import { textOf } from '../model/message-text.ts'
import type { TestFacts } from '../model/test-facts.ts'
import { defineEvaluator } from './evaluator.ts'

const MATCHES = ['exact', 'contains', 'regex', 'numeric_tolerance', 'date'] as const

const field = z
  .strictObject({
    path: z.string().describe('Where the field is: keys with dots, list items as `[n]`.'),
    match: z.enum(MATCHES).default('exact').describe('How the two values are compared.'),
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
  config: z.strictObject({
    fields: z.array(field).min(1).describe('The fields that are compared.'),
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
    ...fields.flatMap(({ path }, index) => (parseJsonPath(path) ? [] : [malformed(index, path)])),
    ...(fields.every(({ weight }) => weight === 0)
      ? [{ code: 'zero-weights' as const, path: ['fields'], message: 'all fields have the weight 0' }]
      : []),
  ],
  issuesIn: ({ fields }, test) => {
    const expected = expectedValue(test)
    if (expected === undefined) {
      return [unknownPath(['fields'], 'the test has no structured `expected_output` to compare with')]
    }
    return fields.flatMap(({ path, match }, index) => {
      const steps = parseJsonPath(path)
      if (!steps) return []
      const found = valueAt(expected.value, steps)
      if (!found)
        return [unknownPath(['fields', index, 'path'], `the test's \`expected_output\` has no ${shown(path)}`)]
      const problem = match === 'regex' ? expectedRegexProblem(found.value) : undefined
      return problem
        ? [{ code: 'bad-regex' as const, path: ['fields', index, 'path'], message: `${shown(path)}: ${problem}` }]
        : []
    })
  },
  sentence: ({ config, negate }) => {
    const paths = config.fields.map(({ path }) => path).join(', ')
    return [`Fields ${paths} ${negate ? 'do not match' : 'match'} expected values`]
  },
})

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
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { value } : undefined
  } catch {
    return undefined
  }
}
