import { plural } from '../lib/text/format.ts'
import { formatMeanScore, formatRate } from '../report/estimates-text.ts'
import type { GroupStatistics, PageData } from '../report/html/page-data.ts'
import type { PassRate } from '../report/outcome/estimates.ts'
import { armSection } from './arm-section.ts'
import { charts } from './charts.ts'
import { el, svg } from './element.ts'
import { format } from './format.ts'
import { groupsTable } from './groups-table.ts'
import { slicesTable } from './slices-table.ts'
import { triggerSection } from './trigger-section.ts'
import { verdictBar, verdictSign } from './verdicts.ts'
import { addressOf, DEFAULT_VIEW } from './view.ts'

/** The numbers and charts of the run. */
export function overview(data: PageData): HTMLElement {
  const { all } = data
  return el(
    'section',
    { class: 'overview', 'aria-labelledby': 'overview-name' },
    el('h1', { id: 'overview-name' }, headline(data)),
    lines(data.notes),
    markedTests(data.marked),
    el(
      'div',
      { class: 'hero' },
      el(
        'div',
        { class: 'card rate' },
        el('h2', { class: 'label' }, 'Pass rate'),
        ...passRates(data),
        el('p', { class: 'faint' }, 'with its 95 % interval'),
        ...(data.corrected ?? []).map(line => el('p', {}, line)),
      ),
      el('div', { class: 'card' }, el('h2', { class: 'label' }, 'Verdicts'), verdictBar(all), verdictLegend(data)),
      ...statCards(data),
    ),
    lines(data.trials),
    ...data.triggers.map(triggerSection),
    lines(data.pairs),
    ...data.arms.map(armSection),
    data.targets.length > 1 && groupsTable('Targets', 'target', data.targets),
    data.slices && slicesTable(data.slices),
    data.suites.length > 0 && groupsTable('Suites', 'suite', data.suites),
    charts(data),
  )
}

/** Maximum number of pass rates at the top; the table has all of them. */
const MAX_RATES = 4

/** The pass rate of each target: several targets have no common rate. */
function passRates({ all, targets }: PageData): Element[] {
  if (all.pass_rate) return rateWithBar(formatRate(all.pass_rate), all.pass_rate, 'big')
  return targets
    .slice(0, MAX_RATES)
    .flatMap(({ name, is_control, pass_rate }) =>
      pass_rate
        ? rateWithBar(`${name}${is_control ? ' (control)' : ''}: ${formatRate(pass_rate)}`, pass_rate, 'value')
        : [],
    )
}

function rateWithBar(text: string, rate: PassRate, style: string): Element[] {
  const bar = intervalBar(rate)
  return [el('p', { class: style }, text), ...(bar ? [bar] : [])]
}

function headline({ all, rows, targets, tests_text, planned_tests, not_run }: PageData): string {
  if (all.tests === 0) return rows.length > 0 ? 'All tests that ran are in quarantine' : 'No tests were run'
  const left = planned_tests - all.tests
  const missing = left > 0 ? `, ${left} not run` : not_run > 0 ? `, ${plural(not_run, 'attempt')} not run` : ''
  const several = targets.length > 1 ? `${tests_text}: ` : ''
  const [counted, controls] = [targets.filter(each => !each.is_control), targets.filter(each => each.is_control)]
  if (controls.length === 0) return `${several}${passedText([all])}${missing}`
  return `${several}${passedText(counted)}; control arm: ${passedText(controls)}${missing}`
}

/** `3 of 4 tests passed`. */
function passedText(groups: readonly GroupStatistics[]): string {
  const passed = groups.reduce((sum, { counts }) => sum + counts.pass, 0)
  const tests = groups.reduce((sum, group) => sum + group.tests, 0)
  return `${passed} of ${plural(tests, 'test')} passed`
}

/** The count of each verdict, linked to its tests. */
function verdictLegend({ all }: PageData): HTMLElement {
  return el(
    'ul',
    { class: 'legend' },
    ...Object.entries(all.counts).map(([verdict, count]) =>
      el(
        'li',
        {},
        el(
          'a',
          { href: addressOf({ ...DEFAULT_VIEW, verdicts: [verdict] }), class: `legend-item ${verdict}` },
          verdictSign(verdict),
          el('strong', {}, format.count(count)),
          ` ${verdict}`,
        ),
      ),
    ),
  )
}

function statCards({ all, judge_usage }: PageData): HTMLElement[] {
  const judged = judge_usage
    ? `judges: ${format.cost(judge_usage.cost_usd)} in ${plural(judge_usage.calls, 'call')}`
    : ''
  const { latency } = all
  return [
    ...(all.score ? [statCard('Score', formatMeanScore(all.score), scoreNote(all))] : []),
    statCard('Cost', format.cost(all.cost_usd), judged || 'of the answers'),
    statCard('Tokens', format.count(all.tokens), 'input and output'),
    statCard('Time', format.time(latency?.median), latency ? `median; ${format.time(latency.total)} in all` : ''),
  ]
}

/** Says how many tests have a score. */
function scoreNote({ score, tests }: GroupStatistics): string {
  return score && score.tests < tests ? `mean of ${score.tests} of ${tests} tests` : 'mean of the tests'
}

function statCard(name: string, value: string, note: string): HTMLElement {
  const [number = '', interval] = value.split(/ (?=\[)/)
  return el(
    'div',
    { class: 'card figure' },
    el('h2', { class: 'label' }, name),
    el(
      'p',
      { class: 'value' },
      number,
      interval !== undefined && ' ',
      interval !== undefined && el('span', { class: 'whole' }, interval),
    ),
    el('p', { class: 'faint' }, value === '–' || value === '-' ? 'not reported' : note),
  )
}

function lines(texts: readonly string[]): HTMLElement | undefined {
  return texts.length === 0 ? undefined : el('div', { class: 'lines' }, ...texts.map(text => el('p', {}, text)))
}

function markedTests(texts: readonly string[]): HTMLElement | undefined {
  if (texts.length === 0) return undefined
  return el('details', {}, el('summary', {}, 'Marked tests'), el('ul', {}, ...texts.map(text => el('li', {}, text))))
}

/** A pass rate with its interval on a line from 0 to 100 %. */
function intervalBar(rate: PassRate): SVGElement | undefined {
  if (!rate.interval) return undefined
  const { low, high } = rate.interval
  const at = (share: number) => `${share * 100}%`
  return svg(
    'svg',
    { class: 'interval-bar', height: 16, role: 'img', 'aria-label': `${formatRate(rate)} on a line from 0 to 100 %` },
    svg('line', { class: 'axis', x1: '0%', x2: '100%', y1: 8, y2: 8 }),
    svg('rect', { class: 'band', x: at(low), width: at(Math.max(0.005, high - low)), y: 4, height: 8, rx: 4 }),
    svg('circle', { class: 'point', cx: at(rate.rate), cy: 8, r: 6 }),
  )
}
