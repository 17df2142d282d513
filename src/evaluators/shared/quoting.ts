/** Quotes a value on one line, so that it can be parsed. */
export function quote(value: string): string {
  const text = escapeText(value)
  return `'${text.includes("'") ? text.replaceAll("'", "\\'") : text}'`
}

/** Parses a quoted value; undefined for any other text. */
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

/** Escapes a value to one line, so that it can be parsed. */
export function escapeText(value: string): string {
  // Fast path: nearly every value is plain.
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

/** Parses an escaped value; undefined for unknown escapes. */
export function unescapeText(text: string): string | undefined {
  const codes = [...text.matchAll(/\\(.?)/gs)].map(([, code = '']) => code)
  if (codes.some(code => !ESCAPES.has(code))) return undefined
  return text.replace(/\\(.)/gs, (_, code: string) => ESCAPES.get(code) ?? code)
}

/** A name in a list of names, quoted if it is ambiguous. */
export function quoteName(name: string): string {
  return /^[^\s,;:'"]+(?: [^\s,;:'"]+)*$/.test(name) && !/ (?:do not )?match\b/.test(name) ? name : quote(name)
}

export function unquoteName(text: string): string | undefined {
  return text.startsWith("'") ? unquote(text) : quoteName(text) === text ? text : undefined
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ')
}

/** Parses a list of names; undefined for any other text. */
export function unquoteNames(text: string): string[] | undefined {
  const names = splitAt(text, ', ').map(unquoteName)
  return names.every(name => name !== undefined) ? names : undefined
}

/** Splits a text at separators outside of quotes. */
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
