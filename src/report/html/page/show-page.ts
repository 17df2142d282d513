import type { PageData } from '../page-data.ts'
import { Chooser } from './choose-rows.ts'
import { el, refill } from './element.ts'
import { overview } from './overview.ts'
import { pageHeader } from './page-header.ts'
import type { Row } from './page-rows.ts'
import { openTest } from './test/open-test.ts'
import { TestsSection } from './tests-section.ts'
import { addressOf, type View, viewOf } from './view.ts'

/** The page is what its address says; whatever changes the one goes through the other. */
export function showPage(place: HTMLElement, data: PageData, rows: readonly Row[]): void {
  const chooser = new Chooser(rows)
  const byKey = new Map(rows.map(row => [row.key, row]))
  const tests = new TestsSection(data, rows, change)
  const numbers = overview(data)
  const list = el('div', { class: 'list' }, numbers, tests.element)
  const article = el('article', { class: 'test', 'aria-labelledby': 'test-name' })
  let view = viewOf('')
  let shown = ''
  let listScroll = 0
  let opened = ''

  refill(
    place,
    el('a', { class: 'skip', href: '#tests', click: skipTo(tests) }, 'Skip to the tests'),
    pageHeader(data),
    el('main', { id: 'main' }, list, article),
  )
  // What leads from a number to its tests.
  numbers.addEventListener('click', event => {
    if ((event.target as Element).closest('a')) requestAnimationFrame(() => tests.element.scrollIntoView())
  })
  history.scrollRestoration = 'manual'
  for (const event of ['popstate', 'hashchange']) addEventListener(event, () => show(false))
  addEventListener('keydown', event => {
    if (event.key === 'Escape' && view.test !== '' && !event.defaultPrevented) change({ test: '', trial: 0 })
  })
  show(true)

  function change(to: Partial<View>, how: 'push' | 'replace' = 'push'): void {
    const address = addressOf({ ...view, ...to })
    if (how === 'push') history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    show(false)
  }

  function show(isFirst: boolean): void {
    if (!isFirst && location.hash === shown) return
    shown = location.hash
    view = viewOf(location.hash)
    const row = byKey.get(view.test)
    if (row && list.hidden === false) listScroll = isFirst ? 0 : scrollY
    list.hidden = row !== undefined
    article.hidden = row === undefined
    document.title = titleOf(data, row)
    const chosen = chooser.choose(view)
    if (row) showTest(row, chosen)
    else showList(chosen)
  }

  function showTest(row: Row, chosen: readonly Row[]): void {
    refill(article, ...openTest(row, chosen, view))
    if (opened === row.key) return
    opened = row.key
    scrollTo(0, 0)
    article.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }

  function showList(chosen: readonly Row[]): void {
    refill(article)
    tests.show(chosen, view, opened !== '')
    if (opened === '') return
    scrollTo(0, listScroll)
    tests.focus(opened)
    opened = ''
  }
}

/** Not by the address, which is the view. */
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
