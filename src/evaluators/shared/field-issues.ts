import { parseDateFormat } from '../../lib/dates.ts'
import { parseExactJson } from '../../lib/json/exact-json.ts'
import { parseJsonPath, valueAt } from '../../lib/json/path.ts'
import { regexProblem } from '../../lib/patterns.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { TestFacts } from '../../model/evaluator.ts'
import type { Issue } from '../../model/issue.ts'
import { lastAssistantText, looksLikeMessages } from '../../model/message.ts'
import { type Field, fieldMatches } from './field.ts'

/** Problems of fields, independent of the test. */
export function fieldIssues(fields: readonly Field[]): Issue[] {
  const isWeightless = fields.every(({ weight }) => weight === 0)
  return [
    ...fields.flatMap(issuesOf),
    ...(isWeightless
      ? [{ code: 'zero-weights' as const, path: ['fields'], message: 'all fields have the weight 0' }]
      : []),
  ]
}

/** Fields that the expected output of a test lacks, or that cannot be compared. */
export function expectedIssues(fields: readonly Field[], test: TestFacts): Issue[] {
  const expected = expectedValue(test)
  if (expected === undefined) return [unknownPath(['fields'], 'the test has no structured `expected_output`')]
  return fields.flatMap((field, index): Issue[] => {
    const { path, match } = field
    const steps = parseJsonPath(path)
    if (!steps) return []
    const at = ['fields', index, 'path']
    const found = valueAt(expected.value, steps)
    if (!found) return [unknownPath(at, `the test's \`expected_output\` has no ${quoteCode(path)}`)]
    const [code, problem] =
      match === 'regex'
        ? (['bad-regex', expectedRegexProblem(found.value)] as const)
        : (['bad-expected', fieldMatches[match].problem?.(found.value, field)] as const)
    return problem === undefined ? [] : [{ code, path: at, message: `${quoteCode(path)}: ${problem}` }]
  })
}

function issuesOf(field: Field, index: number): Issue[] {
  const { path, match, formats = [] } = field
  const unread = SETTINGS.filter(key => field[key] !== undefined && !fieldMatches[match].reads?.includes(key))
  return [
    ...(parseJsonPath(path) ? [] : [malformed(index, path)]),
    ...unread.map(key => unreadSetting(['fields', index, key], match, key)),
    ...formats.flatMap((format, position) =>
      parseDateFormat(format) ? [] : [noFormat(['fields', index, 'formats', position], format)],
    ),
  ]
}

const SETTINGS = ['tolerance', 'relative', 'formats'] as const

function unreadSetting(path: (string | number)[], match: string, key: (typeof SETTINGS)[number]): Issue {
  const reader = Object.entries(fieldMatches).find(([, { reads }]) => reads?.includes(key))?.[0]
  const message = `\`${key}\` has no effect with \`match: ${match}\``
  return { code: 'unread-setting', path, part: 'key', message, hint: `add \`match: ${reader}\`, or remove it` }
}

function noFormat(path: (string | number)[], format: string): Issue {
  const hint = 'write a year (`YYYY`), a month (`MM`, `M`, `MMM`, `MMMM`) and a day (`DD`, `D`): `DD/MM/YYYY`'
  return { code: 'bad-date-format', path, message: `${quoteCode(format)} is not a date format`, hint }
}

function expectedRegexProblem(value: unknown): string | undefined {
  return typeof value === 'string'
    ? regexProblem(value)
    : 'the expected value must be a string with a regular expression'
}

function malformed(index: number, path: string): Issue {
  const hint = 'write keys with dots and list items as `[n]`: `items[0].price`'
  return { ...unknownPath(['fields', index, 'path'], `${quoteCode(path)} is not a path`), hint }
}

function unknownPath(path: (string | number)[], message: string): Issue {
  return { code: 'unknown-path', path, message }
}

/** The structured expected output of a test, parsed from JSON if it is text. */
export function expectedValue({ expected_output: expected }: TestFacts): { value: object } | undefined {
  if (looksLikeMessages(expected)) return parseObject(lastAssistantText(expected))
  if (typeof expected === 'string') return parseObject(expected)
  return typeof expected === 'object' && expected !== null ? { value: expected } : undefined
}

function parseObject(text: string): { value: object } | undefined {
  const value = parseExactJson(text)
  return typeof value === 'object' && value !== null ? { value } : undefined
}
