import { formatNumber } from '../../../lib/text/format.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { EvaluatorResult, Result, RubricItem } from '../../../model/result.ts'
import { counts } from '../../../model/verdict.ts'
import { ownMisses } from '../../../report/reasons.ts'
import { inapplicableTo } from '../../../report/result-texts.ts'
import { itemFacts, itemSum, withoutItems } from '../../../report/score-breakdown.ts'
import { type Votes, voteText } from '../../../report/votes-text.ts'
import { sourceLocation } from '../../dom/copy-button.ts'
import { el, longText, svg } from '../../dom/element.ts'
import { verdictSign } from '../../dom/verdicts.ts'
import { format } from '../../parts/format.ts'

/** The results of the checks. */
export function checksSection({ evaluator_results: checks, file, target }: Result): HTMLElement {
  return el(
    'section',
    { class: 'checks', 'aria-labelledby': 'checks-name' },
    el('h2', { id: 'checks-name' }, 'Checks'),
    checks.length === 0
      ? el('p', { class: 'faint' }, 'No checks were run.')
      : el('ul', {}, ...checks.map(check => checkItem(check, { file, target }))),
  )
}

/** The file of the check around, and the target that answered. */
type Around = Pick<Result, 'file' | 'target'>

function checkItem(check: EvaluatorResult, around: Around): HTMLElement {
  const { file = around.file } = check
  const { evaluator_results: inside = [], reasoning, error, details } = check
  // Nested checks show their own findings.
  const hits = inside.length > 0 ? [] : withoutItems(check.hits, check)
  return el(
    'li',
    { class: `check ${lookOf(check)}` },
    checkHead(check, file),
    el('p', { class: 'check-text' }, check.text),
    !counts(check) && el('p', { class: 'faint' }, inapplicableTo(around.target)),
    notes('+', 'hits', hits),
    notes('−', 'misses', inside.length > 0 ? [] : ownMisses(check)),
    votesDetails(check.votes),
    ...rubricItems(check),
    reasoning !== undefined && el('div', { class: 'reasoning' }, longText(reasoning)),
    error && el('div', { class: 'bad' }, longText(`${error.code}: ${error.message}`)),
    details !== undefined && el('details', {}, el('summary', {}, 'Details'), longText(asText(details))),
    inside.length > 0 && el('ul', {}, ...inside.map(child => checkItem(child, { ...around, file }))),
  )
}

function lookOf(check: EvaluatorResult): string {
  const { passed, error, not_run } = check
  return error ? 'error' : not_run || !counts(check) ? 'off' : passed ? 'pass' : 'fail'
}

function checkHead(check: EvaluatorResult, file: string): HTMLElement {
  const { name, type, score, weight, required, passed, negate, duration_ms } = check
  const found = findingOf(check)
  const mark =
    required === null || !counts(check) ? undefined : `required ${formatNumber(required)}${passed ? '' : ': missed'}`
  const facts = [
    ...(name === type ? [] : [type]),
    ...(negate ? ['negated'] : []),
    ...(mark === undefined ? [] : [mark]),
    ...(duration_ms >= 1 ? [format.time(duration_ms)] : []),
  ]
  return el(
    'div',
    { class: 'check-head' },
    el('span', { class: 'check-sign', role: 'img', 'aria-label': found }, verdictSign(lookOf(check))),
    el('h3', {}, name),
    ...facts.map(fact => el('span', { class: 'fact' }, fact)),
    sourceLocation(file, check.line),
    el(
      'span',
      { class: 'check-score' },
      score === null ? found : `${formatNumber(score)} × ${formatNumber(weight)}`,
      score !== null && scoreBar(score),
    ),
  )
}

function findingOf(check: EvaluatorResult): string {
  if (!counts(check)) return 'n/a'
  return check.not_run ? 'not run' : check.passed ? 'passed' : check.error ? 'could not be judged' : 'missed'
}

function scoreBar(score: number): SVGElement {
  return svg(
    'svg',
    { class: 'score-bar', height: 6, width: 64, 'aria-hidden': 'true' },
    svg('rect', { class: 'track', width: '100%', height: 6, rx: 3 }),
    svg('rect', { class: 'full', width: `${score * 100}%`, height: 6, rx: 3 }),
  )
}

/** Maximum number of lines in a list; the others are counted. */
const MAX_NOTES = 200

function notes(sign: string, name: string, texts: readonly string[]): HTMLElement | undefined {
  if (texts.length === 0) return undefined
  const more = texts.length - MAX_NOTES
  return el(
    'ul',
    { class: `notes ${name}`, 'aria-label': name },
    ...texts
      .slice(0, MAX_NOTES)
      .map(text => el('li', {}, el('span', { class: 'note-sign', 'aria-hidden': 'true' }, sign), longText(text))),
    more > 0 && el('li', {}, `and ${more} more`),
  )
}

/** The findings on each rubric item, and how the score of the check follows from them. */
function rubricItems({ items = [], score }: EvaluatorResult): HTMLElement[] {
  if (items.length === 0) return []
  return [
    el('ul', { class: 'items', 'aria-label': 'rubrics' }, ...items.map(itemLine)),
    ...itemSum(items, score).map(text => el('p', { class: 'sum' }, text)),
  ]
}

function itemLine(item: RubricItem): HTMLElement {
  const { text, passed, reasoning } = item
  return el(
    'li',
    { class: passed ? 'pass' : 'fail' },
    verdictSign(passed ? 'pass' : 'fail'),
    el(
      'div',
      {},
      el('p', {}, text, ' ', el('span', { class: 'faint' }, itemFacts(item))),
      reasoning !== '' && el('p', { class: 'faint' }, reasoning),
      votesDetails(item.votes),
    ),
  )
}

/** The votes of a judge or of a panel, closed. */
function votesDetails(votes: Votes | undefined): HTMLElement | undefined {
  if (!votes) return undefined
  const texts = votes.map((vote, index) => el('li', {}, longText(voteText(vote, index))))
  return el('details', { class: 'votes' }, el('summary', {}, 'Votes'), el('ul', {}, ...texts))
}
