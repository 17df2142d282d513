/** A text that begins with YAML between two lines of `---`. */
export interface Frontmatter {
  /** From the start of the text, with its first line, so that offsets are those of the text. */
  readonly yaml: string
  /** Offset of the text behind it. */
  readonly end: number
}

const FRONTMATTER = /^(\uFEFF?---[ \t]*\r?\n(?:.*?\r?\n)?)---[ \t]*(?:\r?\n|$)/s

/** Finds the frontmatter of a text; undefined if it does not begin with one. */
export function frontmatterOf(text: string): Frontmatter | undefined {
  const [whole, yaml] = FRONTMATTER.exec(text) ?? []
  return whole === undefined || yaml === undefined ? undefined : { yaml, end: whole.length }
}
