import type { PageData } from '../report/html/page-data.ts'
import { el, refill } from './element.ts'
import { Filters } from './filters.ts'
import { format } from './format.ts'
import type { Row } from './rows.ts'
import { TestsTable } from './tests-table.ts'
import { type Change, isFiltered, type View } from './view.ts'

/** The section of tests: filters, table and pager. */
export class TestsSection {
  readonly element: HTMLElement
  readonly heading = el('h2', { id: 'tests-name', tabindex: '-1' }, 'Tests')
  readonly #filters: Filters
  readonly #table: TestsTable
  readonly #count = el('p', { class: 'count', 'aria-live': 'polite' })
  readonly #pager = el('nav', { class: 'pager', 'aria-label': 'Pages of tests' })
  readonly #change: Change
  readonly #all: number

  constructor(data: PageData, rows: readonly Row[], change: Change) {
    this.#change = change
    this.#all = rows.length
    this.#table = new TestsTable(rows, change)
    this.#filters = new Filters(rows, this.#table.columns, change)
    this.element = el(
      'section',
      { class: 'tests', id: 'tests', 'aria-labelledby': 'tests-name' },
      this.heading,
      data.left_out > 0 && el('p', { class: 'notice' }, leftOut(data, rows)),
      this.#filters.element,
      this.#count,
      this.#table.element,
      this.#pager,
    )
  }

  show(chosen: readonly Row[], view: View, isWhole: boolean): void {
    const pages = Math.max(1, Math.ceil(chosen.length / PAGE_SIZE))
    const page = Math.min(view.page, pages)
    this.#filters.show(view)
    this.#table.show(chosen.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), view, isWhole)
    const all = `${format.count(this.#all)} ${this.#all === 1 ? 'test' : 'tests'}`
    refill(this.#count, isFiltered(view) ? `${format.count(chosen.length)} of ${all}` : all)
    refill(this.#pager, ...pager(page, pages, to => this.#turn(to)))
    this.#pager.hidden = pages === 1
  }

  /** Restores the focus after a test is closed. */
  focus(key: string): void {
    if (!this.#table.focus(key)) this.heading.focus({ preventScroll: true })
  }

  #turn(page: number): void {
    this.#change({ page })
    this.element.scrollIntoView()
    this.heading.focus({ preventScroll: true })
  }
}

function leftOut({ left_out }: PageData, rows: readonly Row[]): string {
  return `This page has the ${format.count(rows.length)} most urgent of ${format.count(rows.length + left_out)} tests: errors, failures, borderline and flaky tests first. The numbers above cover all tests.`
}

/** Rows per page. */
const PAGE_SIZE = 50

function pager(page: number, pages: number, turn: (page: number) => void): HTMLElement[] {
  const button = (name: string, to: number) =>
    el('button', { type: 'button', disabled: to < 1 || to > pages, click: () => turn(to) }, name)
  return [button('Previous', page - 1), el('span', {}, `Page ${page} of ${pages}`), button('Next', page + 1)]
}
