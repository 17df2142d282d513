import { NotSimple, type SimpleCursor } from './simple-cursor.ts'
import { plainEnd, plainValue } from './simple-words.ts'

const NEWLINE = 0x0a
const QUOTE = 0x22
const APOSTROPHE = 0x27
const DASH = 0x2d
const BAR = 0x7c

/** Reads a scalar that begins on the line of its key or dash, which is at `column`, and goes to the next content. */
export function readScalar(cursor: SimpleCursor, start: number, column: number): unknown {
  const first = cursor.text.charCodeAt(start)
  if (first === QUOTE) return readDoubleQuoted(cursor, start)
  if (first === APOSTROPHE) return readSingleQuoted(cursor, start)
  return first === BAR ? readLiteral(cursor, start, column) : readPlain(cursor, start)
}

function readPlain(cursor: SimpleCursor, start: number): unknown {
  const end = plainEnd(cursor.text, start)
  const value = end < 0 ? undefined : plainValue(cursor.text.slice(start, end))
  if (value === undefined) throw new NotSimple()
  cursor.endLine(end)
  return value
}

function readDoubleQuoted(cursor: SimpleCursor, start: number): string {
  const { text } = cursor
  const end = text.indexOf('"', start + 1)
  const content = text.slice(start + 1, end)
  if (content.includes('\\')) return readEscaped(cursor, start)
  if (end < 0 || content.includes('\n')) throw new NotSimple()
  cursor.endLine(end + 1)
  return content
}

/** Reads a text in double quotes, if its escapes mean the same in JSON. */
function readEscaped(cursor: SimpleCursor, start: number): string {
  const { text } = cursor
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) !== QUOTE) end += text[end] === '\\' ? 2 : 1
  cursor.endLine(end + 1)
  try {
    // A line break is an error in JSON.
    return JSON.parse(text.slice(start, end + 1))
  } catch {
    throw new NotSimple()
  }
}

function readSingleQuoted(cursor: SimpleCursor, start: number): string {
  const { text } = cursor
  let end = text.indexOf("'", start + 1)
  while (end >= 0 && text.charCodeAt(end + 1) === APOSTROPHE) end = text.indexOf("'", end + 2)
  const content = text.slice(start + 1, end)
  if (end < 0 || content.includes('\n')) throw new NotSimple()
  cursor.endLine(end + 1)
  return content.includes("''") ? content.replaceAll("''", "'") : content
}

/** Reads a block that begins with `|` or `|-`. */
function readLiteral(cursor: SimpleCursor, start: number, column: number): string {
  const { text } = cursor
  const isStripped = text.charCodeAt(start + 1) === DASH
  const header = start + (isStripped ? 2 : 1)
  const indent = cursor.skipSpaces(header + 1) - header - 1
  if (text.charCodeAt(header) !== NEWLINE || indent <= column) throw new NotSimple()
  const lines: string[] = []
  let from = header + 1
  while (from < text.length) {
    const content = cursor.skipSpaces(from)
    const end = text.indexOf('\n', content)
    // Without a newline at its end, a block has none either. Spaces beyond the indentation are content.
    if (end < 0 || (end === content && (lines.length === 0 || content - from > indent))) throw new NotSimple()
    if (end > content && content - from < indent) break
    lines.push(end === content ? '' : text.slice(from + indent, end))
    from = end + 1
  }
  while (lines.at(-1) === '') lines.pop()
  cursor.toContent(from)
  return isStripped ? lines.join('\n') : `${lines.join('\n')}\n`
}
