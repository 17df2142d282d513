/** How much a model is shown for one call. */
export const MAX_CHARACTERS = 30_000

/** Lines for a model, as many as it is shown at once. */
export class ToolOutput {
  readonly #lines: string[] = []
  #left = MAX_CHARACTERS

  /** False when there is no more room for the line. */
  add(line: string): boolean {
    if (line.length >= this.#left) return false
    this.#left -= line.length + 1
    this.#lines.push(line)
    return true
  }

  get count(): number {
    return this.#lines.length
  }

  /** What was added, and at its end what there is to say about it. */
  with(notes: readonly string[]): string {
    return [...this.#lines, ...notes.map(note => `[${note}]`)].join('\n')
  }
}

/** A name on one line, as it can be given back. */
export function quoteName(name: string): string {
  return /["\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s|\s$/u.test(name) ? JSON.stringify(name) : name
}
