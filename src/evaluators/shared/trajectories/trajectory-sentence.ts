import { quoteName, quoteNames, splitAt, unquoteName, unquoteNames } from '../quoting.ts'

/** The sentences of the ways to compare calls. */
export const MODES = {
  any_order: 'Agent called tools in any order',
  in_order: 'Agent called tools in order',
  exact: 'Agent called exactly these tools',
  subset: 'Agent called no tools but',
  superset: 'Agent called at least these tools',
} as const

export type TrajectoryMode = keyof typeof MODES

const MINIMUMS = 'Agent called at least'
const MAXIMUMS = 'Agent called at most'
const FORBIDDEN = 'Agent did not call'
const ANY = 'Agent may call any tools, or none'
const COMPARED = 'Compared as'
/** Sentences of modes without expected calls. */
const NONE = { exact: 'Agent called no tools', subset: 'Agent called no tools at all' } as const

interface Trajectory {
  readonly mode: TrajectoryMode
  readonly expected?: readonly { readonly tool: string }[] | undefined
  readonly minimums?: Readonly<Record<string, number>> | undefined
  readonly maximums?: Readonly<Record<string, number>> | undefined
  readonly forbidden?: readonly string[] | undefined
}

export function trajectorySentence({ mode, expected, minimums, maximums, forbidden }: Trajectory): string {
  const none = expected?.length === 0 && (mode === 'exact' || mode === 'subset') ? [NONE[mode]] : []
  const parts = [
    [MODES[mode], quoteNames(expected?.map(({ tool }) => tool) ?? [])],
    [MINIMUMS, countWords(minimums)],
    [MAXIMUMS, countWords(maximums)],
    [FORBIDDEN, quoteNames(forbidden ?? [])],
  ].flatMap(([words, tools]) => (tools ? [`${words}: ${tools}`] : []))
  if (none.length + parts.length === 0) return ANY
  // The mode is written if no sentence implies it and it is not the default.
  const isUnsaid = none.length === 0 && !expected?.length && mode !== 'any_order'
  return [...none, ...parts, ...(isUnsaid ? [`${COMPARED}: ${mode}`] : [])].join('; ')
}

/** Parses the sentence of a check into its fields; undefined for any other sentence. */
export function parseTrajectory(sentence: string): Record<string, unknown> | undefined {
  if (sentence === ANY) return { expected: [] }
  const fields: Record<string, unknown> = {}
  for (const part of splitAt(sentence, '; ')) {
    const found = readPart(part)
    if (!found) return undefined
    Object.assign(fields, found)
  }
  return fields
}

function readPart(part: string): Record<string, unknown> | undefined {
  for (const [mode, words] of Object.entries(NONE)) if (part === words) return { mode, expected: [] }
  const [, words, list = ''] = /^([^:]+): (.+)$/s.exec(part) ?? []
  if (words === COMPARED) return { mode: list }
  const mode = Object.entries(MODES).find(([, said]) => said === words)?.[0]
  const names = unquoteNames(list)
  if (mode !== undefined) return names && { mode, expected: names.map(tool => ({ tool })) }
  if (words === FORBIDDEN) return names && { forbidden: names }
  const counts = readCounts(list)
  if (words === MINIMUMS) return counts && { minimums: counts }
  return words === MAXIMUMS && counts ? { maximums: counts } : undefined
}

function countWords(counts: Readonly<Record<string, number>> = {}): string {
  return Object.entries(counts)
    .map(([tool, count]) => `${quoteName(tool)} ${count}`)
    .join(', ')
}

function readCounts(list: string): Record<string, number> | undefined {
  const counts = splitAt(list, ', ').map(item => {
    const [, name = '', count] = /^(.+) (\d+)$/s.exec(item) ?? []
    return [unquoteName(name) ?? '', Number(count)] as const
  })
  return counts.every(([name, count]) => name !== '' && !Number.isNaN(count)) ? Object.fromEntries(counts) : undefined
}
