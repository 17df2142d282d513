import type { Row } from './rows.ts'

/** The choices of one list. */
export interface Choices {
  readonly name: string
  readonly label: string
  readonly groups: readonly Group[]
}

interface Group {
  readonly title?: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
}

/** Maximum number of choices; rarer values can be found by searching. */
const MOST = 300

/** Returns the lists with more than one choice. */
export function choicesOf(rows: readonly Row[]): Choices[] {
  const suites = countTexts(rows, ({ suite }) => [suite])
  const targets = countTexts(rows, ({ target }) => [target])
  const tags = countTexts(rows, row => row.tags)
  const missed = countTexts(rows, row => row.missed)
  const checks = countTexts(rows, row => row.checks)
  return [
    ...(suites.size > 1 ? [{ name: 'suite', label: 'All suites', groups: [group(suites)] }] : []),
    ...(targets.size > 1 ? [{ name: 'target', label: 'All targets', groups: [group(targets)] }] : []),
    ...(tags.size > 0 ? [{ name: 'tag', label: 'All tags', groups: [group(tags)] }] : []),
    ...(checks.size > 0 ? [{ name: 'check', label: 'All checks', groups: groupsOfChecks(missed, checks) }] : []),
  ]
}

function groupsOfChecks(missed: Counts, checks: Counts): Group[] {
  return [
    ...(missed.size > 0 ? [{ ...group(missed, 'missed:'), title: 'Missed' }] : []),
    { ...group(checks, 'has:'), title: 'In the test' },
  ]
}

type Counts = ReadonlyMap<string, number>

function countTexts(rows: readonly Row[], textsOf: (row: Row) => readonly string[]): Counts {
  const counts = new Map<string, number>()
  for (const row of rows) for (const text of textsOf(row)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function group(counts: Counts, prefix = ''): Group {
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST)
  const collator = new Intl.Collator('en', { numeric: true })
  frequent.sort(([a], [b]) => collator.compare(a, b))
  return { options: frequent.map(([text, count]) => ({ value: `${prefix}${text}`, text: `${text} (${count})` })) }
}
