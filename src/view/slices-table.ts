import type { SliceTable } from '../report/slices/slices-table.ts'
import { el } from './element.ts'

/** The slices of the run. */
export function slicesTable({ header, rows, more }: SliceTable): HTMLElement {
  // Names, and on every screen the pass rate, which is the last but one.
  const style = (column: number) => (column < 2 ? '' : column === header.length - 2 ? 'number' : 'number wide')
  return el(
    'section',
    { class: 'groups' },
    el('h2', { id: 'slices' }, `By ${header[0] ?? ''}`),
    el(
      'table',
      { 'aria-labelledby': 'slices' },
      el(
        'thead',
        {},
        el('tr', {}, ...header.map((head, column) => el('th', { scope: 'col', class: style(column) }, head))),
      ),
      el(
        'tbody',
        {},
        ...rows.map(([name, ...cells]) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, name),
            ...cells.map((cell, index) => el('td', { class: style(index + 1) }, cell)),
          ),
        ),
      ),
    ),
    more > 0 && el('p', {}, `and ${more} more`),
  )
}
