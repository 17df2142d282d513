import type { Parsed } from './braces.ts'
import { classEnd, classMatcher } from './character-class.ts'

export type NameMatcher = (name: string) => boolean

/** Part of a name: a character, a test of one character, or any number of characters. */
type Part = string | ((character: string) => boolean) | typeof STAR

const STAR = Symbol('any number of characters')

/** Parses a name of a glob: `*`, `?`, `[abc]` and ordinary characters. */
export function parseName(
  written: string,
): Parsed<{ readonly matches: NameMatcher; readonly literal: string | undefined }> {
  const parts: Part[] = []
  const characters = [...written]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '\\') parts.push(characters[++at] ?? '')
    else if (character === '*') parts.push(STAR)
    else if (character === '?') parts.push(() => true)
    else if (character === '[') {
      const end = classEnd(characters, at)
      if (end === undefined) return { problem: 'a bracket is not closed; write `\\[` for a bracket' }
      parts.push(classMatcher(characters.slice(at + 1, end)))
      at = end
    } else parts.push(character)
  }
  const isLiteral = parts.every(part => typeof part === 'string')
  // Brackets are part of many names, such as `[id].tsx`.
  const matches = (name: string) => name === written || matchesParts([...name], parts)
  return { matches, literal: isLiteral ? parts.join('') : undefined }
}

/** Returns to the last `*` only: an earlier one never has to match more. */
function matchesParts(name: readonly string[], parts: readonly Part[]): boolean {
  let at = 0
  let part = 0
  let star: { readonly part: number; from: number } | undefined
  while (at < name.length) {
    const wanted = parts[part]
    const character = name[at] ?? ''
    if (wanted === STAR) star = { part: part++, from: at }
    else if (typeof wanted === 'function' ? wanted(character) : wanted === character) {
      at++
      part++
    } else if (star) {
      part = star.part + 1
      at = ++star.from
    } else return false
  }
  while (parts[part] === STAR) part++
  return part === parts.length
}
