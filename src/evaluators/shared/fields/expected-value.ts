import { parseExactJson } from '../../../lib/exact-json.ts'
import { looksLikeMessages } from '../../../model/message.ts'
import { textOf } from '../../../model/message-text.ts'
import type { TestFacts } from '../../../model/test-facts.ts'

/** The structured form of a test's expected output: as it is, or read from text that is JSON. */
export function expectedValue({ expected_output: expected }: TestFacts): { value: object } | undefined {
  if (looksLikeMessages(expected)) return parsed(textOf(expected.findLast(message => message.role === 'assistant')))
  if (typeof expected === 'string') return parsed(expected)
  return typeof expected === 'object' && expected !== null ? { value: expected } : undefined
}

function parsed(text: string): { value: object } | undefined {
  const value = parseExactJson(text)
  return typeof value === 'object' && value !== null ? { value } : undefined
}
