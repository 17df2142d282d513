import { type CodeFrame, codeFrame } from '../../diagnostics/code-frame.ts'
import { LINE_FEED, LineIndex, YAML_BREAK } from '../../lib/text/line-index.ts'
import type { Location } from '../../model/location.ts'

const LONG_DIGITS = /\d{16}|0x[\da-f]{12}|0o[0-7]{16}/i

/** The text of a file. Lines are indexed when the first location is requested. */
export class Source {
  readonly file: string
  readonly text: string
  #index: LineIndex | undefined
  #hasLongDigits: boolean | undefined

  constructor(file: string, text: string) {
    this.file = file
    this.text = text
  }

  location(offset: number, length: number): Location {
    const { line, column } = this.#lines().position(offset)
    // A span over several lines is marked up to the end of the first one.
    const rest = this.#lines().line(line).length - column + 1
    return { file: this.file, line, column, length: Math.max(1, Math.min(length, rest)) }
  }

  /** Whether the text may contain an integer beyond the safe range. Cached. */
  get hasLongDigits(): boolean {
    this.#hasLongDigits ??= LONG_DIGITS.test(this.text)
    return this.#hasLongDigits
  }

  /** Returns the 1-based line of an offset. */
  lineAt(offset: number): number {
    return this.#lines().position(offset).line
  }

  frame(location: Location): CodeFrame {
    return codeFrame(this.#lines(), location.line, location.column, location.length)
  }

  #lines(): LineIndex {
    this.#index ??= new LineIndex(this.text, this.file.endsWith('.jsonl') ? LINE_FEED : YAML_BREAK)
    return this.#index
  }
}
