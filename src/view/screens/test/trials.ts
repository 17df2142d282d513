import { truncate } from '../../../lib/text/quote.ts'
import type { EvaluatorResult, Result } from '../../../model/result.ts'
import { counts } from '../../../model/verdict.ts'
import { el } from '../../dom/element.ts'
import { verdictBadge } from '../../dom/verdicts.ts'
import { format } from '../../parts/format.ts'
import { addressOf, type TestRoute } from '../../route.ts'

/** The trials side by side with the score of each check; each number links to its trial. */
export function trialsSection(results: readonly Result[], open: Result, route: TestRoute): HTMLElement {
  const names = [...new Set(results.flatMap(({ evaluator_results }) => evaluator_results.map(({ name }) => name)))]
  const row = (title: string, cell: (result: Result) => Node | string, style = '') =>
    el(
      'tr',
      { class: style },
      el('th', { scope: 'row' }, title),
      ...results.map(result => el('td', { class: result === open ? 'open' : '' }, cell(result))),
    )
  return el(
    'section',
    { class: 'trials', 'aria-labelledby': 'trials-name' },
    el('h2', { id: 'trials-name' }, `${results.length} trials`),
    el(
      'div',
      { class: 'scrolls', tabindex: '0', role: 'region', 'aria-labelledby': 'trials-name' },
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el('tr', {}, el('th', { scope: 'col' }, 'Trial'), ...results.map(result => trialHead(result, open, route))),
        ),
        el(
          'tbody',
          {},
          row('Verdict', ({ verdict }) => verdictBadge(verdict)),
          row('Score', ({ score }) => format.score(score)),
          ...names.map(name => row(name, result => scoreOf(name, result), 'check-row')),
          row('Time', ({ duration_ms }) => format.time(duration_ms)),
          row('Answer', ({ answer }) => el('span', { class: 'snippet' }, truncate(answer ?? '–', 140))),
        ),
      ),
    ),
  )
}

function trialHead(result: Result, open: Result, route: TestRoute): HTMLElement {
  const current = result === open
  const href = addressOf({ ...route, trial: result.trial })
  return el(
    'th',
    { scope: 'col', class: current ? 'open' : '' },
    el(
      'a',
      { href, 'aria-current': current ? 'true' : undefined, 'aria-label': `Trial ${result.trial}` },
      result.trial,
    ),
  )
}

function scoreOf(name: string, { evaluator_results }: Result): HTMLElement {
  const check: EvaluatorResult | undefined = evaluator_results.find(each => each.name === name)
  if (check && !counts(check)) return el('span', { class: 'faint' }, 'n/a')
  const text = check?.not_run ? 'not run' : check?.error ? 'no score' : format.score(check?.score)
  return el('span', { class: check?.passed ? 'good' : 'bad' }, text)
}
