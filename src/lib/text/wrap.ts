import { displayWidth } from './unicode.ts'

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

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = []
  let [start, space, width] = [0, -1, 0]
  for (let at = 0; at < line.length; ) {
    const character = characterAt(line, at)
    const wide = character >= ' ' && character <= '~' ? 1 : displayWidth(character)
    if (character === ' ') space = at
    if (width + wide <= columns && at - start < columns * MOST_UNITS) {
      width += wide
      at += character.length
      continue
    }
    const end = space > start ? space : at
    lines.push(line.slice(start, end))
    start = at = space > start ? space + 1 : at
    space = -1
    width = 0
  }
  return [...lines, line.slice(start)]
}

function characterAt(line: string, at: number): string {
  return String.fromCodePoint(line.codePointAt(at) ?? 0)
}
