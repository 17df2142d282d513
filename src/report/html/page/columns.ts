import { el } from './element.ts'
import { numberText } from './number-text.ts'
import type { Row } from './page-rows.ts'
import { verdictBadge } from './verdict-badge.ts'

/** A column of the table of tests. */
export interface Column {
  readonly name: string
  readonly title: string
  readonly style: string
  cell(row: Row): (Node | string)[]
  /** Whether it would say something. */
  isNeeded?(rows: readonly Row[]): boolean
}

/** The columns in which these rows differ. */
export function columnsFor(rows: readonly Row[]): Column[] {
  return COLUMNS.filter(({ isNeeded }) => isNeeded?.(rows) ?? true)
}

const COLUMNS: readonly Column[] = [
  { name: 'verdict', title: 'Verdict', style: 'verdict', cell: ({ verdict }) => [verdictBadge(verdict)] },
  { name: 'test', title: 'Test', style: 'name', cell: underName },
  {
    name: 'suite',
    title: 'Suite',
    style: 'wide group',
    cell: ({ suite }) => [suite],
    isNeeded: rows => new Set(rows.map(({ suite }) => suite)).size > 1,
  },
  {
    name: 'target',
    title: 'Target',
    style: 'wide group',
    cell: ({ target }) => [target],
    isNeeded: rows => new Set(rows.map(({ target }) => target)).size > 1,
  },
  { name: 'score', title: 'Score', style: 'number', cell: ({ score }) => [numberText.score(score)] },
  {
    name: 'trials',
    title: 'Trials',
    style: 'number wide trials',
    cell: ({ passed, attempts, is_flaky }) => [
      `${passed}/${attempts}`,
      ...(is_flaky ? [' ', verdictBadge('flaky')] : []),
    ],
    isNeeded: rows => rows.some(({ attempts }) => attempts > 1),
  },
  {
    name: 'time',
    title: 'Time',
    style: 'number wide',
    cell: ({ duration_ms }) => [numberText.time(duration_ms)],
    isNeeded: rows => rows.some(({ duration_ms }) => duration_ms !== null),
  },
  {
    name: 'cost',
    title: 'Cost',
    style: 'number wide',
    cell: ({ cost_usd }) => [numberText.cost(cost_usd)],
    isNeeded: rows => rows.some(({ cost_usd }) => cost_usd !== null),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    style: 'number wide',
    cell: ({ tokens }) => [numberText.count(tokens)],
    isNeeded: rows => rows.some(({ tokens }) => tokens !== null),
  },
]

/** Why it did not pass, else what it is about; on a small screen also what the hidden columns say. */
function underName({ reason, description, suite, target, attempts, passed, is_flaky }: Row): Node[] {
  const trials = attempts > 1 ? ` · ${passed}/${attempts}${is_flaky ? ' flaky' : ''}` : ''
  const text = reason || description
  return [
    ...(text === '' ? [] : [el('span', { class: 'under' }, text)]),
    el('span', { class: 'under narrow' }, `${suite} · ${target}${trials}`),
  ]
}
