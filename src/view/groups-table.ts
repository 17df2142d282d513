import { formatMeanScore, formatRate } from '../report/estimates-text.ts'
import type { GroupStatistics } from '../report/html/page-data.ts'
import { el } from './element.ts'
import { format } from './format.ts'
import { verdictBar } from './verdicts.ts'
import { addressOf, DEFAULT_VIEW } from './view.ts'

/** Number of rows shown initially. */
const FIRST = 12

/** A table of the numbers of each target or suite; each name links to its tests. */
export function groupsTable(title: string, what: 'target' | 'suite', groups: readonly GroupStatistics[]): HTMLElement {
  const body = el('tbody', {}, ...groups.slice(0, FIRST).map(group => groupRow(group, what)))
  const more = el('button', { type: 'button', click: showAll }, `Show all ${groups.length}`)
  function showAll(): void {
    body.append(...groups.slice(FIRST).map(group => groupRow(group, what)))
    more.remove()
  }
  return el(
    'section',
    { class: 'groups' },
    el('h2', { id: `${what}-groups` }, title),
    el(
      'table',
      { 'aria-labelledby': `${what}-groups` },
      el('thead', {}, el('tr', {}, ...HEADS.map(([name, style]) => el('th', { scope: 'col', class: style }, name)))),
      body,
    ),
    groups.length > FIRST && more,
  )
}

const HEADS: readonly (readonly [name: string, style: string])[] = [
  ['Name', ''],
  ['Verdicts', 'wide'],
  ['Tests', 'number wide'],
  ['Pass rate', 'number'],
  ['Score', 'number'],
  ['Cost', 'number wide'],
  ['Tokens', 'number wide'],
  ['Median time', 'number wide'],
]

function groupRow(group: GroupStatistics, what: 'target' | 'suite'): HTMLElement {
  const { name, target, is_control, tests, pass_rate, score, cost_usd, tokens, latency } = group
  const [mean = '', ...interval] = formatMeanScore(score, tests).split(/(?= )/)
  const isOnTarget = what === 'suite' && target !== undefined
  const cells = [
    format.count(tests),
    formatRate(pass_rate),
    el('span', {}, mean, interval.length > 0 && el('span', { class: 'wide' }, interval.join(''))),
    format.cost(cost_usd),
    format.count(tokens),
    format.time(latency?.median),
  ]
  return el(
    'tr',
    {},
    el(
      'th',
      { scope: 'row' },
      el(
        'a',
        { href: addressOf({ ...DEFAULT_VIEW, [what]: name, ...(isOnTarget ? { target } : {}) }) },
        isOnTarget ? `${name} on ${target}` : name,
        is_control && ' (control)',
      ),
      el('span', { class: 'narrow' }, verdictBar(group)),
    ),
    el('td', { class: 'wide bar' }, verdictBar(group)),
    ...cells.map((text, index) => el('td', { class: HEADS[index + 2]?.[1] }, text)),
  )
}
