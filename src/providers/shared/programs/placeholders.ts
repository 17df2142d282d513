export const PLACEHOLDER = /\{(PROMPT|PROMPT_FILE|MESSAGES_FILE|OUTPUT_FILE|FILES|TEST_ID|EVAL_ID|ATTEMPT)\}/g

export type PlaceholderName =
  | 'PROMPT'
  | 'PROMPT_FILE'
  | 'MESSAGES_FILE'
  | 'OUTPUT_FILE'
  | 'FILES'
  | 'TEST_ID'
  | 'EVAL_ID'
  | 'ATTEMPT'

export type PlaceholderValues = Readonly<Partial<Record<PlaceholderName, string | readonly string[]>>>

/** The placeholders that a command uses. */
export function placeholdersIn(command: readonly string[] | string): Set<PlaceholderName> {
  const words = typeof command === 'string' ? [command] : command
  return new Set(words.flatMap(word => [...word.matchAll(PLACEHOLDER)].map(([, name]) => name as PlaceholderName)))
}

/** A list with its placeholders filled in, each one argument. */
export function filledList(command: readonly string[], values: PlaceholderValues): string[] {
  const valuesOf = (name: string) => [values[name as PlaceholderName] ?? []].flat()
  return command.flatMap(word =>
    word === '{FILES}' ? valuesOf('FILES') : [word.replace(PLACEHOLDER, (_, name) => valuesOf(name).join(' '))],
  )
}
