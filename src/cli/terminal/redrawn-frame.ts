import { displayWidth } from '../../lib/text/unicode.ts'
import { wrapIndented } from '../../lib/text/wrap.ts'
import type { ScreenSize } from './screen.ts'

/** A terminal whose lines can be drawn over. */
export interface FrameScreen {
  write(text: string): void
  columns(): number | undefined
  rows(): number | undefined
}

export function sizeOf(screen: FrameScreen): ScreenSize {
  return { columns: screen.columns() ?? 80, rows: screen.rows() ?? 24 }
}

const ERASE_LINE = '\u001b[2K'
const ERASE_REST = '\u001b[K'
const UP = '\u001b[1A'

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
const STYLES = /\u001b\[[\d;]*m/g

/**
 * Lines at the bottom of a terminal that are drawn over, below text that stays. The cursor is visible and below the last
 * line, so that a process that is killed leaves a usable terminal.
 */
export class RedrawnFrame {
  readonly #screen: FrameScreen
  /** The lines that were drawn last, and the width of the terminal at that time. */
  #lines: readonly string[] = []
  #columns = 0

  constructor(screen: FrameScreen) {
    this.#screen = screen
  }

  /** Replaces the lines. Only the last ones that fit on the terminal are drawn: others would stay in its history. */
  draw(lines: readonly string[]): void {
    const { columns, rows } = sizeOf(this.#screen)
    const shown = lines.slice(-Math.max(1, rows - 1))
    const isInPlace = columns === this.#columns
    if (isInPlace && shown.join('\n') === this.#lines.join('\n')) return
    const surplus = isInPlace ? Math.max(0, this.#lines.length - shown.length) : 0
    const start = isInPlace ? `\r${ERASE_LINE}${UP.repeat(this.#lines.length)}` : this.#erasure()
    this.#screen.write(`${start}${textOf(shown)}${`${ERASE_LINE}\n`.repeat(surplus)}${UP.repeat(surplus)}`)
    this.#lines = shown
    this.#columns = columns
  }

  /** Prints text that stays, above the frame. */
  print(text: string): void {
    const wrapped = wrapIndented(text, this.#screen.columns())
    this.#screen.write(`${this.#erasure()}${wrapped}\n${textOf(this.#lines)}`)
  }

  /** Erases the frame. */
  clear(): void {
    if (this.#lines.length > 0) this.#screen.write(this.#erasure())
    this.#lines = []
  }

  /** Erases row by row, from the cursor up. On a terminal that became narrower, a line has several rows. */
  #erasure(): string {
    const { columns } = sizeOf(this.#screen)
    const rows = this.#lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    return rows === 0 ? '' : `\r${ERASE_LINE}${`${UP}${ERASE_LINE}`.repeat(rows)}`
  }
}

function textOf(lines: readonly string[]): string {
  return lines.map(line => `${line}${ERASE_REST}\n`).join('')
}

function widthOf(line: string): number {
  return displayWidth(line.replace(STYLES, ''))
}
