import { el } from './element.ts'

const SIGNS: Readonly<Record<string, string>> = { pass: '✓', borderline: '≈', fail: '✕', error: '!', flaky: '↯' }

/** A verdict by its word, its sign and its colour: no one of them has to be seen. */
export function verdictBadge(verdict: string): HTMLElement {
  return el('span', { class: `badge ${verdict}` }, verdictSign(verdict), verdict)
}

export function verdictSign(verdict: string): HTMLElement {
  return el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[verdict] ?? '')
}
