import { classEnd } from './character-class.ts'

/** A value, or what is wrong with a glob. */
export type Parsed<Value> = Value | { readonly problem: string }

/** More alternatives than suites need, and few enough to be matched one by one. */
const MOST_ALTERNATIVES = 1000

/** Writes out the alternatives in braces, from the innermost. */
export function expandBraces(glob: string): Parsed<{ readonly texts: readonly string[] }> {
  const texts = [glob]
  const done: string[] = []
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    const found = findBraces(text)
    if (!found) done.push(text)
    else if ('problem' in found) return found
    else texts.push(...found.parts.map(part => `${found.before}${part}${found.after}`).reverse())
    if (texts.length + done.length > MOST_ALTERNATIVES)
      return { problem: `its braces have more than ${MOST_ALTERNATIVES} alternatives` }
  }
  return { texts: done }
}

interface Braces {
  readonly before: string
  readonly parts: readonly string[]
  readonly after: string
}

/** Finds the first braces; undefined if there are none. */
function findBraces(text: string): Parsed<Braces> | undefined {
  const start = nextOf('{', text, 0)
  if (start === undefined) return undefined
  const ends = [start]
  let depth = 0
  for (let at = nextOf('{,}', text, start + 1); at !== undefined; at = nextOf('{,}', text, at + 1)) {
    if (depth === 0 && text[at] !== '{') ends.push(at)
    if (depth === 0 && text[at] === '}') return bracesOf(text, ends)
    if (text[at] !== ',') depth += text[at] === '{' ? 1 : -1
  }
  return { problem: 'a brace is not closed; write `\\{` for a brace' }
}

/** The position of the next of some characters that is neither escaped nor in a class. */
function nextOf(characters: string, text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? ''
    if (characters.includes(character)) return at
    if (character === '\\') at++
    else if (character === '[') at = classEnd(text, at) ?? at
  }
  return undefined
}

/** `ends` are the positions of the opening brace, of the commas and of the closing brace. */
function bracesOf(text: string, ends: readonly number[]): Parsed<Braces> {
  const parts = ends.slice(1).map((end, index) => text.slice((ends[index] ?? 0) + 1, end))
  if (parts.length < 2)
    return { problem: 'braces need at least two alternatives, as in `{a,b}`; write `\\{` for a brace' }
  return { before: text.slice(0, ends[0]), parts, after: text.slice((ends.at(-1) ?? 0) + 1) }
}
