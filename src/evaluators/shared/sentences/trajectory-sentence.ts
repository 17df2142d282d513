/** The ways to compare calls, in words. */
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
const ANY = 'Agent called any tools'
/** Nothing but nothing. */
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
    [MODES[mode], expected?.map(({ tool }) => tool).join(', ')],
    [MINIMUMS, countWords(minimums)],
    [MAXIMUMS, countWords(maximums)],
    [FORBIDDEN, forbidden?.join(', ')],
  ].flatMap(([words, tools]) => (tools ? [`${words}: ${tools}`] : []))
  return [...none, ...parts].join('; ') || ANY
}

/** The fields of the check that says this; undefined for any other sentence. */
export function readTrajectory(sentence: string): Record<string, unknown> | undefined {
  if (sentence === ANY) return { expected: [] }
  const fields: Record<string, unknown> = {}
  for (const part of sentence.split('; ')) {
    const found = readPart(part)
    if (!found) return undefined
    Object.assign(fields, found)
  }
  return fields
}

function readPart(part: string): Record<string, unknown> | undefined {
  for (const [mode, words] of Object.entries(NONE)) if (part === words) return { mode, expected: [] }
  const [, words, list = ''] = /^([^:]+): (.+)$/.exec(part) ?? []
  const items = list.split(', ')
  const mode = Object.entries(MODES).find(([, said]) => said === words)?.[0]
  if (mode !== undefined) return { mode, expected: items.map(tool => ({ tool })) }
  if (words === FORBIDDEN) return { forbidden: items }
  const counts = readCounts(items)
  if (words === MINIMUMS) return counts && { minimums: counts }
  return words === MAXIMUMS && counts ? { maximums: counts } : undefined
}

function countWords(counts: Readonly<Record<string, number>> = {}): string {
  return Object.entries(counts)
    .map(([tool, count]) => `${tool} ${count}`)
    .join(', ')
}

function readCounts(items: readonly string[]): Record<string, number> | undefined {
  const counts = items.map(item => /^(.+) (\d+)$/.exec(item))
  return counts.every(found => found !== null)
    ? Object.fromEntries(counts.map(found => [found[1], Number(found[2])]))
    : undefined
}
