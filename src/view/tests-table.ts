import { el, refill } from './element.ts'
import { format } from './format.ts'
import type { Row } from './rows.ts'
import { verdictBadge } from './verdicts.ts'
import { addressOf, type Change, type View } from './view.ts'

/** Rows that fit on a screen. */
const SCREENFUL = 12

/** The table of tests with sortable columns. */
export class TestsTable {
  readonly element: HTMLElement
  readonly columns: readonly Column[]
  readonly #heads: readonly HTMLElement[]
  readonly #body = el('tbody', { click: openRow, keydown: event => moveFocus(event as KeyboardEvent) })
  readonly #empty = el('p', { class: 'empty', hidden: true }, 'No tests match.')
  #view: View | undefined
  #later = 0

  constructor(rows: readonly Row[], change: Change) {
    this.columns = columnsFor(rows)
    this.#heads = this.columns.map(column => this.#head(column, change))
    const table = el(
      'table',
      { class: 'rows', 'aria-labelledby': 'tests-name' },
      el('thead', {}, el('tr', {}, ...this.#heads)),
      this.#body,
    )
    this.element = el('div', {}, table, this.#empty)
  }

  /** Draws the visible rows first and the rest in the next frame, or all at once if the scroll position is restored. */
  show(rows: readonly Row[], view: View, isWhole: boolean): void {
    this.#view = view
    for (const [index, { name }] of this.columns.entries()) {
      const order = name !== view.sort ? 'none' : view.descending ? 'descending' : 'ascending'
      this.#heads[index]?.setAttribute('aria-sort', order)
    }
    cancelAnimationFrame(this.#later)
    refill(this.#body, ...rows.slice(0, SCREENFUL).map(row => this.#row(row, view)))
    const rest = () => this.#body.append(...rows.slice(SCREENFUL).map(row => this.#row(row, view)))
    if (isWhole) rest()
    else this.#later = requestAnimationFrame(rest)
    this.#empty.hidden = rows.length > 0
  }

  /** Returns false if the row is not in the table. */
  focus(key: string): boolean {
    const link = [...this.#body.querySelectorAll<HTMLElement>('a')].find(({ dataset }) => dataset['key'] === key)
    link?.focus()
    return link !== undefined
  }

  #head({ name, title, style }: Column, change: Change): HTMLElement {
    const sort = () => {
      const descending = this.#view?.sort === name && !this.#view.descending
      change({ sort: name, descending, page: 1 })
    }
    const mark = el('span', { class: 'sort-mark', 'aria-hidden': 'true' })
    return el(
      'th',
      { scope: 'col', class: style },
      el('button', { type: 'button', class: 'sort', click: sort }, title, mark),
    )
  }

  #row(row: Row, view: View): HTMLElement {
    const href = addressOf({ ...view, test: row.key, trial: 0 })
    const cells = this.columns.map(({ name, style, cell }) => {
      if (name !== 'test') return el('td', { class: style }, ...cell(row))
      const link = el('a', { href, 'data-key': row.key }, row.test_id)
      return el('th', { scope: 'row', class: style }, link, ...cell(row))
    })
    return el('tr', { class: row.verdict }, ...cells)
  }
}

/** Opens a row on click, unless text is selected. */
function openRow(event: Event): void {
  const target = event.target as Element
  if (target.closest('a') || String(getSelection()) !== '') return
  target.closest('tr')?.querySelector('a')?.click()
}

/** Moves the focus between rows with the arrow keys. */
function moveFocus(event: KeyboardEvent): void {
  const row = (event.target as Element).closest('tr')
  const steps: Readonly<Record<string, Element | null | undefined>> = {
    ArrowDown: row?.nextElementSibling,
    ArrowUp: row?.previousElementSibling,
    Home: row?.parentElement?.firstElementChild,
    End: row?.parentElement?.lastElementChild,
  }
  const link = steps[event.key]?.querySelector('a')
  if (!link) return
  event.preventDefault()
  link.focus()
}

/** A column of the table of tests. */
export interface Column {
  readonly name: string
  readonly title: string
  readonly style: string
  cell(row: Row): (Node | string)[]
  /** Whether the column has content worth showing. */
  isNeeded?(rows: readonly Row[]): boolean
}

/** Returns the columns that have content for these rows. */
function columnsFor(rows: readonly Row[]): Column[] {
  return COLUMNS.filter(({ isNeeded }) => isNeeded?.(rows) ?? true)
}

const COLUMNS: readonly Column[] = [
  { name: 'verdict', title: 'Verdict', style: 'verdict', cell: verdictCell },
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
  { name: 'score', title: 'Score', style: 'number', cell: ({ score }) => [format.score(score)] },
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
    cell: ({ duration_ms }) => [format.time(duration_ms)],
    isNeeded: rows => rows.some(({ duration_ms }) => duration_ms !== null),
  },
  {
    name: 'cost',
    title: 'Cost',
    style: 'number wide',
    cell: ({ cost_usd }) => [format.cost(cost_usd)],
    isNeeded: rows => rows.some(({ cost_usd }) => cost_usd !== null),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    style: 'number wide',
    cell: ({ tokens }) => [format.count(tokens)],
    isNeeded: rows => rows.some(({ tokens }) => tokens !== null),
  },
]

function verdictCell({ verdict, standing }: Row): (Node | string)[] {
  return [verdictBadge(verdict), ...(standing ? [' ', verdictBadge(standing)] : [])]
}

/** The reason or description; on small screens also the content of the hidden columns. */
function underName({ reason, description, suite, target, attempts, passed, is_flaky }: Row): Node[] {
  const trials = attempts > 1 ? ` · ${passed}/${attempts}${is_flaky ? ' flaky' : ''}` : ''
  const text = reason || description
  return [
    ...(text === '' ? [] : [el('span', { class: 'under' }, text)]),
    el('span', { class: 'under narrow' }, `${suite} · ${target}${trials}`),
  ]
}
