import { lazily } from '../../lib/lazily.ts'
import * as z from '../../lib/zod.ts'
import type { TestFacts } from '../../model/evaluator.ts'
import type { Issue } from '../../model/issue.ts'
import { expectedText } from '../../model/message.ts'
import { quote, unquoteList } from './quoting.ts'
import { textValue } from './texts.ts'

/** The texts that an answer is compared with, of which the nearest counts. */
export const referenceFields = lazily(() => ({
  value: z
    .union([textValue(), z.array(textValue()).min(1)])
    .optional()
    .describe(
      'The text to compare with, or several, of which the nearest counts. Default: the `expected_output` of the test.',
    ),
}))

export type ReferenceConfig = z.output<z.ZodObject<ReturnType<typeof referenceFields>>>

export function referenceTexts({ value }: ReferenceConfig, { expected_output }: TestFacts): readonly string[] {
  return [value ?? expectedText(expected_output) ?? []].flat()
}

/** Reports a check that has nothing to compare with. */
export function referenceIssues(config: ReferenceConfig, test: TestFacts): Issue[] {
  if (referenceTexts(config, test).length > 0) return []
  const message = 'neither this check nor its test has a text to compare with'
  return [{ code: 'no-comparison', path: [], message, hint: 'add a `value`, or an `expected_output` to the test' }]
}

const EXPECTED = 'the expected output'

/** Names the texts in a sentence. */
export function nameReferences({ value }: ReferenceConfig): string {
  return value === undefined ? EXPECTED : [value].flat().map(quote).join(', ')
}

/** Parses such a name; undefined for any other text. */
export function parseReferences(text: string): ReferenceConfig | undefined {
  if (text === EXPECTED) return {}
  const [only, ...others] = unquoteList(text) ?? []
  if (only === undefined) return undefined
  return { value: others.length === 0 ? only : [only, ...others] }
}
