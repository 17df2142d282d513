import { displayWidth } from '../../lib/text/unicode.ts'

/** A line that does not wrap on a terminal of so many columns. */
export function cutLine(line: string, columns: number): string {
  if (displayWidth(line) < columns) return line
  let kept = ''
  let width = 0
  for (const character of line) {
    width += displayWidth(character)
    if (width > columns - 2) break
    kept += character
  }
  return `${kept}…`
}
