/** Line breaks: a lone `\r` is one in YAML; in JSON Lines only `\n` is. */
export const YAML_BREAK = /\r\n?|\n/g
export const LINE_FEED = /\n/g

/** Number of lines before and after the last one that are searched first. */
const NEAR = 16

/** The offsets at which the lines of a text begin. */
export class LineIndex {
  readonly #text: string
  readonly #starts: number[] = [0]
  /** The line that was found last. */
  #last = 0

  constructor(text: string, lineBreak: RegExp = YAML_BREAK) {
    this.#text = text
    if (text.includes('\r')) this.#find(new RegExp(lineBreak))
    else for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  #find(breaks: RegExp): void {
    while (breaks.exec(this.#text)) this.#starts.push(breaks.lastIndex)
  }

  /** Line and column of an offset, both from 1; columns in UTF-16 units, as editors count them. */
  position(offset: number): { line: number; column: number } {
    // Mostly, offsets are asked a few lines apart.
    const [from, to] = [this.#last - NEAR, this.#last + NEAR]
    const isNear = from >= 0 && this.#start(from) <= offset && offset < this.#start(to)
    let low = isNear ? from : 0
    let high = isNear ? to - 1 : this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#start(middle) <= offset) low = middle
      else high = middle - 1
    }
    this.#last = low
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
