import type { TriggerTable } from '../report/trigger-table.ts'
import { el } from './element.ts'

/** The trigger rates of a skill on a target: its figures, a row for each query, and notes. */
export function triggerSection({ title, figures, header, rows, notes }: TriggerTable, index: number): HTMLElement {
  const id = `triggers-${index + 1}`
  return el(
    'section',
    { class: 'groups' },
    el('h2', { id }, title),
    ...figures.map(text => el('p', {}, text)),
    el(
      'table',
      { 'aria-labelledby': id },
      el('thead', {}, el('tr', {}, ...header.map(head => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, ...rows.map(rowOf)),
    ),
    ...notes.map(text => el('p', { class: 'faint' }, text)),
  )
}

function rowOf([query = '', ...cells]: readonly string[]): HTMLElement {
  return el('tr', {}, el('th', { scope: 'row' }, query), ...cells.map(text => el('td', {}, text)))
}
