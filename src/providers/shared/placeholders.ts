import { closestMatch } from '../../lib/text/suggestion.ts'
import type { Issue } from '../../model/issue.ts'
import type { Path } from '../../model/location.ts'

const NAMES = [
  'PROMPT',
  'PROMPT_FILE',
  'MESSAGES_FILE',
  'OUTPUT_FILE',
  'FILES',
  'TEST_ID',
  'EVAL_ID',
  'ATTEMPT',
] as const

export type PlaceholderName = (typeof NAMES)[number]

export const PLACEHOLDER = new RegExp(`\\{(${NAMES.join('|')})\\}`, 'g')

const WRITTEN: ReadonlyMap<string, string> = new Map(NAMES.map(name => [name, `{${name}}`]))

/** What looks like a placeholder: `${HOME}` is a variable of the shell. */
const LIKE_PLACEHOLDER = /(?<!\$)\{([A-Z][A-Z_]*)\}/g

export type PlaceholderValues = Readonly<Partial<Record<PlaceholderName, string | readonly string[]>>>

/** The placeholders that a command uses. */
export function findPlaceholders(command: readonly string[] | string): Set<PlaceholderName> {
  const words = typeof command === 'string' ? [command] : command
  return new Set(words.flatMap(word => [...word.matchAll(PLACEHOLDER)].map(([, name]) => name as PlaceholderName)))
}

/** A list with its placeholders filled in, each one argument. */
export function fillCommand(command: readonly string[], values: PlaceholderValues): string[] {
  const valuesOf = (name: string) => [values[name as PlaceholderName] ?? []].flat()
  return command.flatMap(word =>
    word === '{FILES}' ? valuesOf('FILES') : [word.replace(PLACEHOLDER, (_, name) => valuesOf(name).join(' '))],
  )
}

/** Words in braces that would be passed on as they are. */
export function placeholderIssues(command: readonly string[] | string): Issue[] {
  const words = typeof command === 'string' ? [command] : command
  return words.flatMap((word, index) =>
    [...word.matchAll(LIKE_PLACEHOLDER)]
      .filter(([, name = '']) => !WRITTEN.has(name))
      .map(([written, name = '']) =>
        unknownPlaceholderIssue(written, WRITTEN, name, typeof command === 'string' ? ['command'] : ['command', index]),
      ),
  )
}

/** A word in braces that no placeholder is: a mistake where it is close to one, else perhaps meant as it is. */
export function unknownPlaceholderIssue(
  written: string,
  known: ReadonlyMap<string, string>,
  name: string,
  path: Path,
): Issue {
  const near = closestMatch(name, known.keys())
  const message = `\`${written}\` is not a placeholder and is passed on unchanged`
  const all = `the placeholders are ${[...known.values()].join(', ')}`
  if (near === undefined) return { code: 'unknown-variable', severity: 'warning', path, message, hint: all }
  return { code: 'unknown-variable', path, message, hint: `did you mean \`${known.get(near)}\`?` }
}
