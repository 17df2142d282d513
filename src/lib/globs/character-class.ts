/** The position of the bracket that ends a class; undefined if none does. */
export function classEnd(text: string | readonly string[], start: number): number | undefined {
  let at = start + 1
  if (text[at] === '!' || text[at] === '^') at++
  // A bracket at the beginning is one of the characters.
  if (text[at] === ']') at++
  for (; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ']') return at
    else if (text[at] === '/') return undefined
  }
  return undefined
}

/** Compiles the characters between the brackets of a class: `a-z_`, `!0-9`. */
export function classMatcher(inside: readonly string[]): (character: string) => boolean {
  const isNegated = inside[0] === '!' || inside[0] === '^'
  const characters: string[] = []
  const ranges: [from: string, to: string][] = []
  for (let at = isNegated ? 1 : 0; at < inside.length; at++) {
    if (inside[at] === '\\') at++
    const from = inside[at] ?? ''
    if (inside[at + 1] === '-' && at + 2 < inside.length) {
      ranges.push([from, inside[at + 2] ?? ''])
      at += 2
    } else characters.push(from)
  }
  const codeOf = (character: string) => character.codePointAt(0) ?? 0
  const includes = (character: string) =>
    characters.includes(character) ||
    ranges.some(([from, to]) => codeOf(from) <= codeOf(character) && codeOf(character) <= codeOf(to))
  return character => includes(character) !== isNegated
}
