/** Line breaks: a lone `\r` is one in YAML; in JSON Lines only `\n` is. */
export const YAML_BREAK = /\r\n?|\n/g
export const LINE_FEED = /\n/g

/** The offsets at which the lines of a text begin. */
export class LineIndex {
  readonly #text: string
  readonly #starts: number[] = [0]

  constructor(text: string, lineBreak: RegExp = YAML_BREAK) {
    this.#text = text
    const breaks = new RegExp(lineBreak)
    while (breaks.exec(text)) this.#starts.push(breaks.lastIndex)
  }

  /** Line and column of an offset, both from 1; columns in UTF-16 units, as editors count them. */
  position(offset: number): { line: number; column: number } {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#start(middle) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.#start(low) + 1 }
  }

  /** The text of a line (from 1), without its line break. */
  line(line: number): string {
    const start = this.#start(line - 1)
    let end = this.#starts[line] ?? this.#text.length
    while (end > start && '\r\n'.includes(this.#text.charAt(end - 1))) end--
    return this.#text.slice(start, end)
  }

  #start(line: number): number {
    return this.#starts[line] ?? this.#text.length
  }
}
