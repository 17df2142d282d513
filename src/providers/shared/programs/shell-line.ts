import type { Issue } from '../../../model/issue.ts'
import { PLACEHOLDER, type PlaceholderName, type PlaceholderValues } from '../placeholders.ts'
import { type Quotes, ShellReader } from './shell-quotes.ts'

export interface ShellLine {
  readonly command: string
  /** The values of the placeholders. The command only refers to them, so the shell never runs them as code. */
  readonly env: Readonly<Record<string, string>>
}

/** Fills in the placeholders of a shell command, each as one word, also inside quotes and heredocs. */
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

/** Where placeholders cannot be filled in. */
const PROBLEMS: Partial<Record<Quotes, { readonly place: string; readonly hint: string }>> = {
  verbatim: {
    place: 'in a heredoc with a quoted delimiter, in which the shell expands nothing',
    hint: 'remove the quotes from the delimiter, or pass the prompt on stdin',
  },
  arithmetic: {
    place: 'in an arithmetic expansion, which could run it as code',
    hint: 'pass it to a program as an argument',
  },
}

/** Reports placeholders of a shell command that cannot be filled in. */
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
