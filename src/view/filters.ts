import { el } from './element.ts'
import { type Choices, choicesOf } from './filter-choices.ts'
import { format } from './format.ts'
import { kindsOf, type Row } from './rows.ts'
import type { Column } from './tests-table.ts'
import { styleOf, verdictSign } from './verdicts.ts'
import { type Change, DEFAULT_VIEW, isFiltered, type View } from './view.ts'

const VERDICTS = [
  ...['pass', 'borderline', 'fail', 'error', 'flaky'],
  ...['unexpected pass', 'expected failure', 'quarantined'],
] as const

/** The filter controls: search, verdicts, lists and sort order. */
export class Filters {
  readonly element: HTMLElement
  readonly #search: HTMLInputElement
  readonly #verdicts: readonly (readonly [verdict: string, button: HTMLElement])[]
  readonly #selects: readonly HTMLSelectElement[]
  readonly #sort: HTMLSelectElement
  readonly #clear: HTMLElement
  #view: View = DEFAULT_VIEW

  constructor(rows: readonly Row[], columns: readonly Column[], change: Change) {
    const placeholder = 'Search by name, tag, check or reason'
    const label = { 'aria-label': 'Search tests', placeholder, autocomplete: 'off', spellcheck: 'false' }
    this.#search = el('input', { type: 'search', ...label, input: () => this.#searched(change) })
    this.#verdicts = VERDICTS.flatMap(verdict => this.#verdict(verdict, rows, change))
    this.#selects = choicesOf(rows).map(choices => select(choices, change))
    this.#sort = sortSelect(columns, change)
    this.#clear = el('button', { type: 'button', class: 'quiet', click: () => this.#cleared(change) }, 'Clear filters')
    this.element = el(
      'div',
      { class: 'filters', role: 'search', 'aria-label': 'Tests' },
      this.#search,
      el('div', { class: 'chips', role: 'group', 'aria-label': 'Verdict' }, ...this.#verdicts.map(([, chip]) => chip)),
      el('div', { class: 'choices' }, ...this.#selects, this.#sort, this.#clear),
    )
  }

  show(view: View): void {
    this.#view = view
    if (this.#search.value.trim() !== view.search) this.#search.value = view.search
    for (const [verdict, chip] of this.#verdicts)
      chip.setAttribute('aria-pressed', String(view.verdicts.includes(verdict)))
    for (const each of this.#selects) choose(each, valueIn(view, each.name))
    choose(this.#sort, `${view.descending ? '-' : ''}${view.sort}`)
    this.#clear.hidden = !isFiltered(view)
  }

  /** Typing replaces the history entry, so that back leads to the view before the search. */
  #searched(change: Change): void {
    const search = this.#search.value.trim()
    change({ search, page: 1 }, this.#view.search === '' ? 'push' : 'replace')
  }

  #cleared(change: Change): void {
    const { sort, descending } = this.#view
    change({ ...DEFAULT_VIEW, sort, descending })
    this.#search.focus()
  }

  #verdict(verdict: string, rows: readonly Row[], change: Change): [string, HTMLElement][] {
    const count = rows.filter(row => kindsOf(row).includes(verdict)).length
    if (count === 0) return []
    const click = () => {
      const { verdicts } = this.#view
      const without = verdicts.filter(each => each !== verdict)
      change({ verdicts: without.length < verdicts.length ? without : [...verdicts, verdict], page: 1 })
    }
    const words = [verdictSign(verdict), verdict, el('span', { class: 'faint' }, format.count(count))]
    return [[verdict, el('button', { type: 'button', class: `chip ${styleOf(verdict)}`, click }, ...words)]]
  }
}

/** A list of choices; for checks, either the name or a missed check. */
function select({ name, label, groups }: Choices, change: Change): HTMLSelectElement {
  const element = el(
    'select',
    {
      name,
      'aria-label': label,
      change: () => change({ ...emptied(name), ...chosenIn(name, element.value), page: 1 }),
    },
    el('option', { value: '' }, label),
    ...groups.map(({ title, options }) => {
      const made = options.map(({ value, text }) => el('option', { value }, text))
      return title === undefined ? fragment(made) : el('optgroup', { label: title }, ...made)
    }),
  )
  return element
}

function fragment(nodes: readonly Node[]): Node {
  const made = document.createDocumentFragment()
  made.append(...nodes)
  return made
}

function emptied(name: string): Partial<View> {
  return name === 'check' ? { check: '', missed: '' } : {}
}

function chosenIn(name: string, value: string): Partial<View> {
  if (name !== 'check') return { [name]: value }
  return value.startsWith('missed:') ? { missed: value.slice(7) } : { check: value.slice(4) }
}

function valueIn(view: View, name: string): string {
  if (name === 'check')
    return view.missed !== '' ? `missed:${view.missed}` : view.check !== '' ? `has:${view.check}` : ''
  return String(view[name as keyof View])
}

/** Selects a value; an unknown one from the URL is added to the choices. */
function choose(element: HTMLSelectElement, value: string): void {
  if (value !== '' && ![...element.options].some(option => option.value === value))
    element.append(el('option', { value }, value))
  element.value = value
  element.classList.toggle('chosen', value !== '')
}

/** Sort order for screens that hide columns. */
function sortSelect(columns: readonly Column[], change: Change): HTMLSelectElement {
  const options = columns.flatMap(({ name, title }) => [
    el('option', { value: name }, `Sort by ${title.toLowerCase()}`),
    el('option', { value: `-${name}` }, `Sort by ${title.toLowerCase()}, descending`),
  ])
  const pick = () => {
    const { value } = element
    change({ sort: value.replace(/^-/, ''), descending: value.startsWith('-'), page: 1 })
  }
  const element = el('select', { class: 'narrow', 'aria-label': 'Order', change: pick }, ...options)
  return element
}
