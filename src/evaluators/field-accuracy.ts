import { formatDifferences, jsonDifferences } from '../lib/json/differences.ts'
import { exactJson } from '../lib/json/exact-json.ts'
import { parseJsonPath, valueAt } from '../lib/json/path.ts'
import { formatJson } from '../lib/json/stringify.ts'
import { withHints } from '../lib/schema-rules.ts'
import { weightedAverage } from '../lib/statistics/means.ts'
import * as z from '../lib/zod.ts'
import type { GradeContext, Subject } from '../model/evaluator.ts'
import type { Grade } from '../model/grade.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { type Field, fieldMatches, fieldSchema } from './shared/field.ts'
import { expectedIssues, expectedValue, fieldIssues } from './shared/field-issues.ts'
import { jsonInText } from './shared/json-in-text.ts'
import { textProbes } from './shared/probes.ts'
import { quoteNames, unquoteNames } from './shared/quoting.ts'
import { negateField } from './shared/sentences.ts'
import {
  type CheckSubject,
  gradeSubject,
  SUBJECT_HINTS,
  stateOf,
  subjectField,
  subjectNeeds,
} from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'
import { findLargeInteger, inexactNumberError } from './shared/unjudged.ts'

export const fieldAccuracy = defineEvaluator({
  type: 'field_accuracy',
  summary: 'Fields of the answer, read as JSON, match the expected output.',
  notes: [
    'The answer is read as JSON: the whole text, else its only fenced block, else the text between its outermost braces. The expected values come from the `expected_output` of the test: a mapping, a list, a string of JSON, or messages whose last assistant message is JSON.',
    'A field that is missing or does not match scores 0; so do all fields if the answer has no JSON. A path that is not in the expected output is reported before the run. With `subject: {mock: NAME}`, the fields are those of the state of the mocked server.',
    '`exact` compares without conversion: 1 is not "1". Integers are compared exactly, also beyond 2^53. `contains`: the field contains the expected text. `regex`: the expected text is the pattern. `numeric_tolerance` reads numbers as people write them: `1,200.50`, `1.200,50`, `$1,200`. `date` compares calendar days and ignores the time: ISO 8601, the given `formats`, else common forms; an ambiguous date is an error.',
  ],
  config: () =>
    withHints(
      z.strictObject({
        fields: z.array(fieldSchema()).min(1).describe('The fields to compare.'),
        aggregation: z
          .enum(['weighted_average', 'minimum', 'all_or_nothing'])
          .default('weighted_average')
          .describe('How the scores of the fields make one.'),
        ...subjectField(),
      }),
      SUBJECT_HINTS,
    ),
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
  validate: {
    check: ({ fields }) => fieldIssues(fields),
    test: ({ fields }, test) => expectedIssues(fields, test),
  },
  needs: subjectNeeds,
  probing: {
    probes: ({ subject }, test) => textProbes([exactJson(expectedValue(test)?.value ?? {})], subject, false),
    wrong: ({ subject }, test) =>
      textProbes([JSON.stringify(altered(expectedValue(test)?.value ?? {}))], subject).probes,
    describesAnswers: ({ fields }) => fields.some(({ match }) => match === 'regex'),
  },
  sentences: withSubject<Config>({
    write: ({ config, negate }) => {
      const paths = quoteNames(config.fields.map(({ path }) => path))
      const ways = config.fields.flatMap(field => {
        const words = fieldMatches[field.match].words?.(field)
        return words === undefined ? [] : [`${field.path} ${words}`]
      })
      const more = ways.length === 0 ? '' : `: ${ways.join(', ')}`
      return [`Fields ${paths} ${negate ? 'do not match' : 'match'} expected values${more}`]
    },
    parse: (sentence, test) => {
      const [, paths, verb] = /^Fields (.+?) (do not match|match) expected values$/.exec(sentence) ?? []
      const expected = expectedValue(test)?.value
      const fields = (unquoteNames(paths ?? '') ?? []).map(path => ({ path }))
      // Without expected values it is an ordinary sentence.
      const isKnown =
        fields.length > 0 &&
        fields.every(({ path }) => {
          const steps = parseJsonPath(path)
          return steps && valueAt(expected, steps)
        })
      return isKnown ? { fields, ...negateField(verb !== 'match') } : undefined
    },
    omits: ({ fields, aggregation }) => [
      ...(fields.some(({ weight }) => weight !== 1) ? ['the weights of fields'] : []),
      ...(fields.some(({ required }) => required) ? ['that fields are required'] : []),
      ...(aggregation === 'weighted_average' ? [] : [`\`aggregation: ${aggregation}\``]),
    ],
  }),
  grade: (config, of, context) => {
    const { subject } = config
    const state = stateOf(subject, of)
    if (state) return gradeFields(config, state, of, context)
    return gradeSubject(subject, of, context, {
      findsParts: false,
      grade: (text, name) => gradeFields(config, jsonInText(text), of, context, name),
    })
  },
})

interface Config {
  readonly subject?: CheckSubject
  readonly fields: readonly Field[]
  readonly aggregation: keyof typeof AGGREGATIONS
}

/** Compares fields of a JSON value with the expected ones. */
function gradeFields(
  { fields, aggregation, subject }: Config,
  actual: { readonly value: unknown } | undefined,
  { test }: Subject,
  { host }: GradeContext,
  name = 'the answer',
): Grade {
  const expected = expectedValue(test)?.value
  const compared = fields.map(field => {
    const steps = parseJsonPath(field.path) ?? []
    const wanted = valueAt(expected, steps)?.value
    const found = actual && valueAt(actual.value, steps)
    const matches = found !== undefined && fieldMatches[field.match].matches(found.value, wanted, field, host)
    return { ...field, matches, wanted, found }
  })
  if (typeof subject === 'object') requireExact(compared)
  const [hits, misses] = [true, false].map(matches => compared.filter(field => field.matches === matches))
  return {
    score: misses?.some(({ required }) => required) ? 0 : AGGREGATIONS[aggregation](compared),
    hits: (hits ?? []).map(({ path, found }) => `${path}: ${formatJson(found?.value, LONGEST)}`),
    misses: [
      ...(actual ? [] : [`${name} has no JSON`]),
      ...(misses ?? []).map(({ path, wanted, found, required }) => {
        const needed = required ? ' (required)' : ''
        return `${differenceText(path, found, wanted)}${needed}`
      }),
    ],
  }
}

/** The same structure with other values. */
function altered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(altered)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, altered(inner)]))
  if (typeof value === 'number' || typeof value === 'bigint') return -3 * Number(value) - 1_000_003
  return typeof value === 'boolean' ? !value : OTHER_VALUE
}

const OTHER_VALUE = '~ another value ~'

/** Numbers of a state may have been rounded when it was read. */
function requireExact(
  fields: readonly { readonly matches: boolean; readonly found: { value: unknown } | undefined }[],
): void {
  for (const { matches, found } of fields) {
    const large = matches ? findLargeInteger(found?.value) : undefined
    if (large !== undefined) throw inexactNumberError(large)
  }
}

/** Longer values are truncated. */
const LONGEST = 100

type Compared = readonly { readonly matches: boolean; readonly weight: number }[]

/** Combines the fields into one score. Only the average uses weights. */
const AGGREGATIONS = {
  weighted_average: (fields: Compared) =>
    weightedAverage(fields.map(({ matches, weight }) => ({ score: matches ? 1 : 0, weight }))),
  minimum: allMatch,
  all_or_nothing: allMatch,
}

function allMatch(fields: Compared): number {
  return fields.every(({ matches }) => matches) ? 1 : 0
}

/** `total is 42.5, expected 40`; for long values, only the differences. */
function differenceText(path: string, found: { readonly value: unknown } | undefined, wanted: unknown): string {
  const expected = formatJson(wanted, LONGEST)
  if (!found) return `${path} is missing, expected ${expected}`
  const text = formatJson(found.value, LONGEST)
  const isWhole = text.length <= LONGEST && expected.length <= LONGEST
  const differences = isWhole ? [] : jsonDifferences(found.value, wanted, path)
  return differences.length > 0 ? formatDifferences(differences) : `${path} is ${text}, expected ${expected}`
}
