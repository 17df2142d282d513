/** The names under which the program is installed. */
export const PROGRAMS = ['assay', 'agentv'] as const

/** A text as one word of bash, zsh and sh, in which nothing is expanded. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A text as one word of fish, in which nothing is expanded. */
export function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

/** Indents the lines of a script. */
export function indented(lines: readonly string[]): string {
  return lines.map(line => `    ${line}\n`).join('')
}
