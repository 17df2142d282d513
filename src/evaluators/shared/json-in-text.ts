import { parseExactJson } from '../../lib/exact-json.ts'
import { fencedBlocks } from './fenced-blocks.ts'

/** The JSON in an answer: the whole text, else its one fenced block, else what stands between its outermost braces. Integers that no number holds are BigInts. */
export function jsonInText(text: string): { readonly value: unknown } | undefined {
  const blocks = fencedBlocks(text)
  const candidates = [
    text,
    ...(blocks.length === 1 ? blocks : []),
    text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1),
  ]
  for (const candidate of candidates) {
    const value = parseExactJson(candidate)
    if (value !== undefined) return { value }
  }
  return undefined
}
