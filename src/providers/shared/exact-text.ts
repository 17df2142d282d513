import { exactJson, lostIntegers, parseExactJson } from '../../lib/exact-json.ts'
import { isMapping } from '../../lib/is-mapping.ts'
import { isNestedWithin } from '../../lib/is-nested-within.ts'
import { DEEPEST_ANSWER } from '../../model/answer-limit.ts'

/** Indentation may multiply the length of longer ones beyond what an answer may have. */
const LONGEST_INDENTED = 20_000

/** An envelope, which is `json` parsed, with a structured `text` or `output` as JSON where a number would round its integers. */
export function withExactText(envelope: Record<string, unknown>, json: string): Record<string, unknown> {
  if (lostIntegers(json).length === 0 || !isNestedWithin(envelope, DEEPEST_ANSWER)) return envelope
  const exact = parseExactJson(json)
  if (!isMapping(exact)) return envelope
  const { text, output } = exact
  const indent = json.length > LONGEST_INDENTED ? 0 : 2
  return {
    ...envelope,
    ...(text == null || typeof text === 'string' ? {} : { text: exactJson(text, { indent }) }),
    ...(output == null || typeof output === 'string' || Array.isArray(output)
      ? {}
      : { output: exactJson(output, { indent }) }),
  }
}
