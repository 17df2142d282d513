/** A value in single quotes, on one line, so that it can be read back. */
export function quoted(value: string): string {
  const text = escaped(value)
  return `'${text.includes("'") ? text.replaceAll("'", "\\'") : text}'`
}

/** What stands in single quotes; undefined for a text that is not written in this way. */
export function unquoted(text: string): string | undefined {
  const inside = /^'([^'\\]*(?:\\.[^'\\]*)*)'$/.exec(text)?.[1]
  return inside === undefined ? undefined : unescaped(inside)
}

export function quotedList(values: readonly string[]): string {
  return values.map(quoted).join(', ')
}

export function unquotedList(text: string): string[] | undefined {
  const values: string[] = []
  const item = /'[^'\\]*(?:\\.[^'\\]*)*'(?:, |$)/y
  while (item.lastIndex < text.length) {
    const found = item.exec(text)?.[0]
    const value = found === undefined ? undefined : unquoted(found.replace(/, $/, ''))
    if (value === undefined) return undefined
    values.push(value)
  }
  return values.length === 0 || text.endsWith(', ') ? undefined : values
}

/** A value on one line, so that it can be read back. */
export function escaped(value: string): string {
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
export function unescaped(text: string): string | undefined {
  const codes = [...text.matchAll(/\\(.?)/gs)].map(([, code = '']) => code)
  if (codes.some(code => !ESCAPES.has(code))) return undefined
  return text.replace(/\\(.)/gs, (_, code: string) => ESCAPES.get(code) ?? code)
}
