import { quoted, unquoted } from './quoted.ts'

/** A name in a list of names: as it is, or in quotes where it could be taken for more than one. */
export function nameText(name: string): string {
  return /^[^\s,;:'"]+(?: [^\s,;:'"]+)*$/.test(name) && !/ (?:do not )?match\b/.test(name) ? name : quoted(name)
}

export function readName(text: string): string | undefined {
  return text.startsWith("'") ? unquoted(text) : nameText(text) === text ? text : undefined
}

export function namesText(names: readonly string[]): string {
  return names.map(nameText).join(', ')
}

/** Undefined for a text that is no such list. */
export function readNames(text: string): string[] | undefined {
  const names = splitAt(text, ', ').map(readName)
  return names.every(name => name !== undefined) ? names : undefined
}

/** The parts of a text between separators that do not stand in quotes. */
export function splitAt(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    if (isQuoted && text[at] === '\\') at++
    else if (text[at] === "'") isQuoted = !isQuoted
    else if (!isQuoted && text.startsWith(separator, at)) {
      parts.push(text.slice(start, at))
      at += separator.length - 1
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
