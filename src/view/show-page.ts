import type { PageData } from '../report/html/page-data.ts'
import { el, refill } from './element.ts'
import { overview } from './overview.ts'
import { pageHeader } from './page-header.ts'
import { type Row, RowSelector } from './rows.ts'
import { openTest } from './test/open-test.ts'
import { TestsSection } from './tests-section.ts'
import { addressOf, type Change, viewOf } from './view.ts'

export function showPage(container: HTMLElement, data: PageData, rows: readonly Row[]): void {
  new Page(data, rows).showIn(container)
}

/** The page renders the view in its URL; every change goes through the URL. */
class Page {
  readonly #data: PageData
  readonly #chooser: RowSelector
  readonly #byKey: ReadonlyMap<string, Row>
  readonly #numbers: HTMLElement
  readonly #tests: TestsSection
  readonly #list: HTMLElement
  readonly #article = el('article', { class: 'test', 'aria-labelledby': 'test-name' })
  #view = viewOf('')
  #hash = ''
  #listScroll = 0
  /** Key of the test that is open or was open last. */
  #opened = ''

  constructor(data: PageData, rows: readonly Row[]) {
    this.#data = data
    this.#chooser = new RowSelector(rows)
    this.#byKey = new Map(rows.map(row => [row.key, row]))
    this.#numbers = overview(data)
    this.#tests = new TestsSection(data, rows, this.#change)
    this.#list = el('div', { class: 'list' }, this.#numbers, this.#tests.element)
  }

  showIn(container: HTMLElement): void {
    refill(
      container,
      el('a', { class: 'skip', href: '#tests', click: skipTo(this.#tests) }, 'Skip to the tests'),
      pageHeader(this.#data),
      el('main', { id: 'main' }, this.#list, this.#article),
    )
    // Links from numbers to tests scroll to the table.
    this.#numbers.addEventListener('click', event => {
      if ((event.target as Element).closest('a')) requestAnimationFrame(() => this.#tests.element.scrollIntoView())
    })
    history.scrollRestoration = 'manual'
    for (const event of ['popstate', 'hashchange']) addEventListener(event, () => this.#show(false))
    addEventListener('keydown', event => {
      const isOpen = this.#view.test !== '' && !event.defaultPrevented
      if (event.key === 'Escape' && isOpen) this.#change({ test: '', trial: 0 })
    })
    this.#show(true)
  }

  readonly #change: Change = (to, how = 'push') => {
    const address = addressOf({ ...this.#view, ...to })
    if (how === 'push') history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    this.#show(false)
  }

  #show(isFirst: boolean): void {
    if (!isFirst && location.hash === this.#hash) return
    this.#hash = location.hash
    this.#view = viewOf(location.hash)
    const row = this.#byKey.get(this.#view.test)
    if (row && this.#list.hidden === false) this.#listScroll = isFirst ? 0 : scrollY
    this.#list.hidden = row !== undefined
    this.#article.hidden = row === undefined
    document.title = titleOf(this.#data, row)
    const chosen = this.#chooser.choose(this.#view)
    if (row) this.#showTest(row, chosen)
    else this.#showList(chosen)
  }

  #showTest(row: Row, chosen: readonly Row[]): void {
    refill(this.#article, ...openTest(row, chosen, this.#view))
    if (this.#opened === row.key) return
    this.#opened = row.key
    scrollTo(0, 0)
    this.#article.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }

  #showList(chosen: readonly Row[]): void {
    refill(this.#article)
    this.#tests.show(chosen, this.#view, this.#opened !== '')
    if (this.#opened === '') return
    scrollTo(0, this.#listScroll)
    this.#tests.focus(this.#opened)
    this.#opened = ''
  }
}

/** Moves the focus without changing the URL, which holds the view. */
function skipTo(tests: TestsSection): (event: Event) => void {
  return event => {
    event.preventDefault()
    tests.heading.focus()
  }
}

function titleOf({ run }: PageData, row: Row | undefined): string {
  const name = run ? `Assay report ${run.run_id}` : 'Assay report'
  return row ? `${row.test_id} · ${name}` : name
}
