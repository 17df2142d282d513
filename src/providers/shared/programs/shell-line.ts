import { PLACEHOLDER, type PlaceholderName, type PlaceholderValues } from './placeholders.ts'

export interface ShellLine {
  readonly command: string
  /** The values, which the line only refers to: whatever stands in them, the shell never reads it as code. */
  readonly env: Readonly<Record<string, string>>
}

/** A line for the shell in which each placeholder stands for its value as one word, also between the user's own quotes. */
export function shellLine(line: string, values: PlaceholderValues): ShellLine {
  const env: Record<string, string> = {}
  const reference = (name: string, quotes: Quotes) => {
    const words = [values[name as PlaceholderName] ?? []].flat().map((value, index) => {
      const variable = `ASSAY_${name}${index === 0 ? '' : `_${index + 1}`}`
      env[variable] = value
      return quoted(variable, quotes)
    })
    return words.join(' ')
  }
  let command = ''
  let end = 0
  const reader = new QuoteReader()
  for (const match of line.matchAll(PLACEHOLDER)) {
    const between = line.slice(end, match.index)
    command += between + reference(match[1] ?? '', reader.read(between))
    end = match.index + match[0].length
  }
  return { command: command + line.slice(end), env }
}

type Quotes = 'none' | 'single' | 'double'

function quoted(variable: string, quotes: Quotes): string {
  if (quotes === 'double') return `\${${variable}}`
  return quotes === 'single' ? `'"\${${variable}}"'` : `"\${${variable}}"`
}

/** Follows the quotes of a line for the shell. `$(…)` and backticks inside quotes begin anew. */
class QuoteReader {
  readonly #outer: { quotes: Quotes; end: string }[] = []
  #quotes: Quotes = 'none'

  /** Where the text ends: inside which quotes. */
  read(text: string): Quotes {
    for (const [token] of text.matchAll(/\\[\s\S]|\$\(|["'`)]/g)) this.#see(token)
    return this.#quotes
  }

  #see(token: string): void {
    if (this.#quotes === 'single') {
      // Between single quotes a backslash is nothing but that.
      if (token.endsWith("'")) this.#quotes = 'none'
    } else if (token === '"') this.#quotes = this.#quotes === 'double' ? 'none' : 'double'
    else if (token === "'") this.#quotes = this.#quotes === 'double' ? 'double' : 'single'
    else if (token === '$(') this.#enter(')')
    else if (this.#quotes === 'none' && token === this.#outer.at(-1)?.end) this.#leave()
    else if (token === '`') this.#enter('`')
  }

  #enter(end: string): void {
    this.#outer.push({ quotes: this.#quotes, end })
    this.#quotes = 'none'
  }

  #leave(): void {
    this.#quotes = this.#outer.pop()?.quotes ?? 'none'
  }
}
