/** Where the lines of a text begin. A line ends at `\n`, `\r\n` or a lone `\r`, as in YAML. */
export class LineIndex {
  readonly #text: string
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.#text = text
    const breaks = /\r\n?|\n/g
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
    const end = this.#starts[line] ?? this.#text.length
    return this.#text.slice(this.#start(line - 1), end).replace(/[\r\n]+$/, '')
  }

  #start(line: number): number {
    return this.#starts[line] ?? this.#text.length
  }
}
