import type { ShownAnswer } from '../../model/shown-answer.ts'
import { el, longText } from '../dom/element.ts'
import { changesSection } from '../screens/test/changes.ts'

/** Everything that a person sees of an answer, as text. */
export function answerSections(shown: ShownAnswer): HTMLElement[] {
  const { question, criteria, note, checks, expected, answer, calls } = shown
  return [
    ...section('Question', question),
    ...section('Criteria', criteria),
    ...section('Note of the test', note),
    ...listSection('Checks', checks),
    ...section('Expected output', expected),
    ...section('Answer', answer === '' ? '(empty)' : answer, 'answer'),
    ...changesSection(shown),
    ...(calls ? listSection('Tool calls', calls.length === 0 ? ['none'] : calls) : []),
  ]
}

function section(name: string, text: string | undefined, kind = 'text'): HTMLElement[] {
  if (text === undefined) return []
  return [el('section', { class: `panel ${kind}` }, el('h2', {}, name), longText(text))]
}

function listSection(name: string, texts: readonly string[]): HTMLElement[] {
  if (texts.length === 0) return []
  const items = texts.map(text => el('li', {}, longText(text)))
  return [el('section', { class: 'panel list' }, el('h2', {}, name), el('ul', {}, ...items))]
}
