import type { Result } from '../../../model/result.ts'
import { scoreSum } from '../../../report/score-breakdown.ts'
import { sourceLocation } from '../../dom/copy-button.ts'
import { el, longText } from '../../dom/element.ts'
import { verdictBadge } from '../../dom/verdicts.ts'
import { format } from '../../parts/format.ts'
import { addressOf, type TestRoute } from '../../route.ts'
import type { Row } from '../../rows.ts'
import { changesSection } from './changes.ts'
import { checksSection } from './checks.ts'
import { factsSection } from './facts.ts'
import { textsSection } from './texts.ts'
import { transcriptSection } from './transcript.ts'
import { trialsSection } from './trials.ts'

/** The view of a test on a target: all its trials, and the selected one in detail. */
export function openTest(
  row: Row,
  results: readonly Result[],
  chosen: readonly Row[],
  route: TestRoute,
): HTMLElement[] {
  const result = results.find(({ trial }) => trial === route.trial) ?? telling(results)
  if (!result) return [wayAround(row, chosen, route)]
  return [
    wayAround(row, chosen, route),
    head(row, result),
    ...(results.length > 1 ? [trialsSection(results, result, route)] : []),
    ...(result.error ? [errorPanel(result.error)] : []),
    textsSection(result),
    checksSection(result),
    scoreSection(result),
    ...changesSection(result),
    ...transcriptSection(result),
    factsSection(result),
  ]
}

/** Returns the first trial that did not pass, or the first one. */
function telling(results: readonly Result[]): Result | undefined {
  return results.find(({ verdict }) => verdict !== 'pass') ?? results[0]
}

/** Links to the list and to the neighbouring tests. */
function wayAround(row: Row, chosen: readonly Row[], route: TestRoute): HTMLElement {
  const position = chosen.indexOf(row)
  const link = (name: string, to: Row | undefined) =>
    to
      ? el('a', { class: 'button', href: addressOf({ ...route, test: to.key, trial: 0 }) }, name)
      : el('span', { class: 'button off', 'aria-hidden': 'true' }, name)
  const count = position < 0 ? '' : `${format.count(position + 1)} of ${format.count(chosen.length)}`
  return el(
    'nav',
    { class: 'way', 'aria-label': 'Tests' },
    el(
      'a',
      { class: 'button', href: addressOf({ screen: 'run', run: route.run, filters: route.filters }) },
      '← All tests',
    ),
    el('span', { class: 'faint' }, count),
    link('Previous', position < 0 ? undefined : chosen[position - 1]),
    link('Next', position < 0 ? undefined : chosen[position + 1]),
  )
}

function head(row: Row, result: Result): HTMLElement {
  const { verdict, is_flaky, standing, score, tags, suite, target } = row
  const { model, description, criteria, note, conversation_id } = result
  const facts = [suite, target, ...(model === undefined ? [] : [model])]
  const about: [name: string, text: string | undefined][] = [
    ['', description],
    ['Criteria', criteria],
    ['Note', note],
    ['Conversation', conversation_id],
  ]
  return el(
    'header',
    { class: 'test-head' },
    el('h1', { id: 'test-name', tabindex: '-1' }, row.test_id),
    el(
      'p',
      { class: 'verdict-line' },
      verdictBadge(verdict),
      is_flaky && verdictBadge('flaky'),
      standing !== undefined && verdictBadge(standing),
      el('span', { class: 'value' }, format.score(score)),
      ...facts.map(fact => el('span', { class: 'fact' }, fact)),
      sourceLocation(row.file, row.line),
    ),
    ...about.flatMap(([name, text]) =>
      text === undefined ? [] : [el('p', { class: 'about' }, name !== '' && el('strong', {}, `${name}: `), text)],
    ),
    tags.length > 0 && el('ul', { class: 'tags', 'aria-label': 'Tags' }, ...tags.map(tag => el('li', {}, tag))),
  )
}

function errorPanel({ code, stage, message }: NonNullable<Result['error']>): HTMLElement {
  return el(
    'section',
    { class: 'panel error-panel', 'aria-label': 'Error' },
    el('h2', {}, `Error in the ${stage}: ${code}`),
    longText(message),
  )
}

/** How the score follows from the checks, and the verdict from the score. */
function scoreSection(result: Result): HTMLElement {
  const lines = result.error ? [`no score: error in the ${result.error.stage}`] : scoreSum(result)
  return el(
    'section',
    { class: 'panel', 'aria-labelledby': 'sum-name' },
    el('h2', { id: 'sum-name' }, 'Score'),
    ...lines.map(line => el('p', { class: 'sum' }, line)),
  )
}
