/** Size limit of the result of one tool call. */
export const MAX_CHARACTERS = 30_000

/** The lines of a tool result, up to the size limit. */
export class ToolOutput {
  readonly #lines: string[] = []
  #left = MAX_CHARACTERS

  /** Adds a line. Returns false if it does not fit. */
  add(line: string): boolean {
    if (line.length >= this.#left) return false
    this.#left -= line.length + 1
    this.#lines.push(line)
    return true
  }

  get count(): number {
    return this.#lines.length
  }

  /** Returns the lines, followed by notes in brackets. */
  with(notes: readonly string[]): string {
    return [...this.#lines, ...notes.map(note => `[${note}]`)].join('\n')
  }
}

/** Quotes a name that contains control characters, quotes or outer spaces, so that it fits on one line. */
export function quoteName(name: string): string {
  return /["\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s|\s$/u.test(name) ? JSON.stringify(name) : name
}
