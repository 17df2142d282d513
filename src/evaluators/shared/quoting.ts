/** A value in single quotes, on one line, so that it can be read back. */
export function quote(value: string): string {
  const text = escapeText(value)
  return `'${text.includes("'") ? text.replaceAll("'", "\\'") : text}'`
}

/** What stands in single quotes; undefined for a text that is not written in this way. */
export function unquote(text: string): string | undefined {
  const inside = /^'([^'\\]*(?:\\.[^'\\]*)*)'$/.exec(text)?.[1]
  return inside === undefined ? undefined : unescapeText(inside)
}

export function quoteList(values: readonly string[]): string {
  return values.map(quote).join(', ')
}

export function unquoteList(text: string): string[] | undefined {
  const values: string[] = []
  const item = /'[^'\\]*(?:\\.[^'\\]*)*'(?:, |$)/y
  while (item.lastIndex < text.length) {
    const found = item.exec(text)?.[0]
    const value = found === undefined ? undefined : unquote(found.replace(/, $/, ''))
    if (value === undefined) return undefined
    values.push(value)
  }
  return values.length === 0 || text.endsWith(', ') ? undefined : values
}

/** A value on one line, so that it can be read back. */
export function escapeText(value: string): string {
  // Nearly every value is plain, and every check of every answer is put into words.
  if (!/[\\\n\r\t]/.test(value)) return value
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
  ["'", "'"],
])

/** Undefined for a text that has escapes which nobody writes. */
export function unescapeText(text: string): string | undefined {
  const codes = [...text.matchAll(/\\(.?)/gs)].map(([, code = '']) => code)
  if (codes.some(code => !ESCAPES.has(code))) return undefined
  return text.replace(/\\(.)/gs, (_, code: string) => ESCAPES.get(code) ?? code)
}

/** A name in a list of names: as it is, or in quotes where it could be taken for more than one. */
export function quoteName(name: string): string {
  return /^[^\s,;:'"]+(?: [^\s,;:'"]+)*$/.test(name) && !/ (?:do not )?match\b/.test(name) ? name : quote(name)
}

export function unquoteName(text: string): string | undefined {
  return text.startsWith("'") ? unquote(text) : quoteName(text) === text ? text : undefined
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ')
}

/** Undefined for a text that is no such list. */
export function unquoteNames(text: string): string[] | undefined {
  const names = splitAt(text, ', ').map(unquoteName)
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
