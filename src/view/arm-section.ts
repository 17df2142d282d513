import type { TitledSection } from '../report/compare/text/comparison-section.ts'
import type { TestList } from '../report/compare/text/test-lists.ts'
import { el } from './element.ts'

/** Shows a comparison with its control arm, or with saved results. */
export function armSection(section: TitledSection, index: number): HTMLElement {
  const { title, before, after, metrics, notes, lists, verdict_text } = section
  const id = `arm-${index}`
  const heads = ['Figure', before, after, 'Difference']
  return el(
    'section',
    { class: 'groups arm' },
    el('h2', { id }, title),
    el('p', {}, el('strong', {}, verdict_text)),
    el(
      'table',
      { 'aria-labelledby': id },
      el('thead', {}, el('tr', {}, ...heads.map(head => el('th', { scope: 'col' }, head)))),
      el(
        'tbody',
        {},
        ...metrics.map(metric =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, metric.name),
            ...[metric.before, metric.after, metric.difference].map((text, column) =>
              el('td', { 'data-label': heads[column + 1] }, text),
            ),
          ),
        ),
      ),
    ),
    el('div', { class: 'lines' }, ...notes.map(note => el('p', {}, note))),
    ...lists.map(testList),
  )
}

/** Tests of one kind, shown on request. */
function testList({ label, lines }: TestList): HTMLElement {
  return el(
    'details',
    {},
    el('summary', {}, `${label}: ${lines.length}`),
    el('ul', {}, ...lines.map(line => el('li', {}, line))),
  )
}
