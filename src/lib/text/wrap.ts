import { characterWidth } from './unicode.ts'

const TAB = '    '

/** Most UTF-16 units of a line for each column: characters without width do not make a line endless. */
const MOST_UNITS = 8

/** Breaks a text into lines of at most `columns` (at least 2), between words where possible. Tabs become spaces. */
export function wrapText(text: string, columns: number): string[] {
  const width = Math.max(2, columns)
  return text
    .replaceAll('\t', TAB)
    .split('\n')
    .flatMap(line => (isShort(line, width) ? [line] : wrapLine(line, width)))
}

function isShort(line: string, columns: number): boolean {
  return line.length <= columns && ASCII.test(line)
}

const ASCII = /^[ -~]*$/

function wrapLine(line: string, columns: number, hang = ''): string[] {
  const lines: string[] = []
  let start = 0
  do {
    const prefix = lines.length === 0 ? '' : hang
    const { end, next } = lineEnd(line, start, columns - prefix.length)
    lines.push(`${prefix}${line.slice(start, end)}`)
    start = next
  } while (start < line.length)
  return lines
}

/** Where a line ends that begins at `start`, and where the next one begins. */
function lineEnd(line: string, start: number, columns: number): { readonly end: number; readonly next: number } {
  let [space, width, units, before] = [-1, 0, 0, '']
  let at = start
  while (at < line.length) {
    const style = styleAt(line, at)
    at += style.length
    if (style !== '') continue
    const character = characterAt(line, at)
    width += characterWidth(character, before)
    units += character.length
    // A line is not broken within its indentation.
    if (character === ' ' && !isBlank(line, start, at)) space = at
    if (width > columns || units > columns * MOST_UNITS)
      return space < 0 ? { end: at, next: at } : { end: space, next: space + 1 }
    at += character.length
    before = character
  }
  return { end: at, next: at }
}

function isBlank(line: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (line[at] !== ' ') return false
  return true
}

function characterAt(line: string, at: number): string {
  return String.fromCodePoint(line.codePointAt(at) ?? 0)
}

/** A change of colour, which has no width. */
function styleAt(line: string, at: number): string {
  if (line[at] !== '\u001b') return ''
  STYLE.lastIndex = at
  return STYLE.exec(line)?.[0] ?? ''
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
const STYLE = /\u001b\[[\d;]*m/y

/** How much further than its beginning a line is continued. */
const HANG = 2

/** Narrower terminals break the lines themselves. */
const LEAST_WIDTH = 8

/**
 * Breaks lines that are wider than `columns` between words; what continues a line is indented below it. The text may have
 * colours. Without `columns`, it stays as it is.
 */
export function wrapIndented(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  const width = Math.max(LEAST_WIDTH, columns)
  return text
    .split('\n')
    .flatMap(line => {
      if (isShort(line, width)) return [line]
      const indent = Math.min(line.length - line.trimStart().length + HANG, Math.floor(width / 2))
      return wrapLine(line.replaceAll('\t', TAB), width, ' '.repeat(indent))
    })
    .join('\n')
}
