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
  'MCP_CONFIG',
] as const

export type PlaceholderName = (typeof NAMES)[number]

export const PLACEHOLDER = new RegExp(`\\{(${NAMES.join('|')})\\}`, 'g')

const WRITTEN: ReadonlyMap<string, string> = new Map(NAMES.map(name => [name, `{${name}}`]))

/** Text that looks like a placeholder. `${HOME}` does not: it is a shell variable. */
const LIKE_PLACEHOLDER = /(?<!\$)\{([A-Z][A-Z_]*)\}/g

export type PlaceholderValues = Readonly<Partial<Record<PlaceholderName, string | readonly string[]>>>

/** Finds the placeholders in a command. */
export function findPlaceholders(command: readonly string[] | string): Set<PlaceholderName> {
  const words = typeof command === 'string' ? [command] : command
  return new Set(words.flatMap(word => [...word.matchAll(PLACEHOLDER)].map(([, name]) => name as PlaceholderName)))
}

/** Fills in the placeholders of a command list. A value is one argument, except that `{FILES}` is one per file. */
export function fillCommand(command: readonly string[], values: PlaceholderValues): string[] {
  const valuesOf = (name: string) => [values[name as PlaceholderName] ?? []].flat()
  return command.flatMap(word =>
    word === '{FILES}' ? valuesOf('FILES') : [word.replace(PLACEHOLDER, (_, name) => valuesOf(name).join(' '))],
  )
}

/** Reports words in braces that are not placeholders. */
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

/** Reports an unknown placeholder: an error if it is close to a known one, otherwise a warning. */
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
