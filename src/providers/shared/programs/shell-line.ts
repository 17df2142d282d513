import type { Issue } from '../../../model/issue.ts'
import { PLACEHOLDER, type PlaceholderName, type PlaceholderValues } from '../placeholders.ts'
import { type Quotes, ShellReader } from './shell-quotes.ts'

export interface ShellLine {
  readonly command: string
  /** The values, which the line only refers to: whatever stands in them, the shell never reads it as code. */
  readonly env: Readonly<Record<string, string>>
}

/** A line for the shell in which each placeholder is its value as one word, also inside quotes and heredocs of the user's. */
export function fillShellLine(line: string, values: PlaceholderValues): ShellLine {
  const env: Record<string, string> = {}
  const reference = (name: string, quotes: Quotes) => {
    const words = [values[name as PlaceholderName] ?? []].flat().map((value, index) => {
      const variable = `ASSAY_${name}${index === 0 ? '' : `_${index + 1}`}`
      env[variable] = value
      return quoteVariable(variable, quotes)
    })
    return words.join(' ')
  }
  let command = ''
  let end = 0
  const reader = new ShellReader(line)
  for (const match of line.matchAll(PLACEHOLDER)) {
    const between = line.slice(end, match.index)
    command += between + reference(match[1] ?? '', reader.quotesAt(match.index))
    end = match.index + match[0].length
    reader.skipTo(end)
  }
  return { command: command + line.slice(end), env }
}

function quoteVariable(variable: string, quotes: Quotes): string {
  if (quotes === 'double' || quotes === 'heredoc') return `\${${variable}}`
  return quotes === 'single' ? `'"\${${variable}}"'` : `"\${${variable}}"`
}

/** Why placeholders cannot be filled in where they stand. */
const PROBLEMS: Partial<Record<Quotes, { readonly place: string; readonly hint: string }>> = {
  verbatim: {
    place: 'in a heredoc with a quoted delimiter, in which the shell fills in nothing',
    hint: 'write the delimiter without quotes, or pass the prompt on stdin',
  },
  arithmetic: {
    place: 'in an arithmetic expansion, which could run commands in it',
    hint: 'pass it as an argument to a program',
  },
}

/** Placeholders of a line for the shell that cannot be filled in. */
export function shellIssues(line: string): Issue[] {
  const reader = new ShellReader(line)
  return [...line.matchAll(PLACEHOLDER)].flatMap(({ 0: placeholder, index }) => {
    const problem = PROBLEMS[reader.quotesAt(index)]
    reader.skipTo(index + placeholder.length)
    if (!problem) return []
    const message = `${placeholder} is ${problem.place}`
    return [{ code: 'bad-target' as const, path: ['command'], message, hint: problem.hint }]
  })
}
