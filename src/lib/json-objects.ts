import { type Expectation, skipBlanks, step, tokenEnd } from './json-tokens.ts'

/** How often a text may be gone through: hostile ones have a beginning of an object at every other character. */
const MOST_PASSES = 20

/** The JSON objects in a text, whatever stands around them: the outermost ones, in order. */
export function* jsonObjectsIn(text: string): Generator<Record<string, unknown>> {
  let effort = 0
  for (let from = text.indexOf('{'); from >= 0 && effort <= MOST_PASSES * text.length; ) {
    const { end, isWhole } = objectAt(text, from)
    effort += end - from
    if (isWhole) yield JSON.parse(text.slice(from, end))
    from = text.indexOf('{', isWhole ? end : from + 1)
  }
}

/** Where the object that begins at an offset ends, or where it stops being one. */
function objectAt(text: string, from: number): { end: number; isWhole: boolean } {
  const open: string[] = []
  let expects: Expectation | undefined = 'value'
  for (let offset = from; offset < text.length; ) {
    const end = tokenEnd(text, offset)
    expects = typeof end === 'number' ? step(expects, text[offset] ?? '', open) : undefined
    if (typeof end !== 'number' || expects === undefined) return { end: offset, isWhole: false }
    if (expects === 'end') return { end, isWhole: true }
    offset = skipBlanks(text, end)
  }
  return { end: text.length, isWhole: false }
}
