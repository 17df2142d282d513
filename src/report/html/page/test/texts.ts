import { isMapping } from '../../../../lib/is-mapping.ts'
import { asText, contentText } from '../../../../model/content-text.ts'
import type { Result } from '../../../../model/result.ts'
import { el } from '../element.ts'
import { longText } from './long-text.ts'
import { type Marked, markedDifference } from './marked-difference.ts'
import { messageBlock } from './message-block.ts'

/** What was asked, what was expected, what came: beside each other, with what differs marked. */
export function textsSection(result: Result): HTMLElement {
  const { input, expected_output, answer } = result
  const expected = expected_output === undefined ? undefined : expectedText(expected_output)
  const shown = answer === null ? undefined : comparable(answer, expected_output)
  const marked = expected === undefined || shown === undefined ? undefined : markedDifference(expected, shown)
  return el(
    'section',
    { class: `texts ${expected === undefined ? 'two' : 'three'}`, 'aria-label': 'Input, expected output and answer' },
    panel('Input', ...input.map(messageBlock)),
    ...(expected === undefined
      ? []
      : [panel('Expected', marked ? markedText(marked.from, 'del') : longText(expected))]),
    panel(
      'Answer',
      shown === undefined
        ? el('p', { class: 'faint' }, 'There is no answer.')
        : marked
          ? markedText(marked.to, 'ins')
          : longText(shown),
    ),
  )
}

function panel(name: string, ...children: Node[]): HTMLElement {
  return el('section', { class: 'panel' }, el('h2', { class: 'label' }, name), ...children)
}

/** The last of expected messages is the answer. */
function expectedText(expected: unknown): string {
  const last = Array.isArray(expected) ? expected.at(-1) : undefined
  return isMapping(last) && 'role' in last ? contentText(last['content'] ?? '') : asText(expected)
}

/** Where data is expected, data that came is written in the same way. */
function comparable(answer: string, expected: unknown): string {
  if (typeof expected !== 'object') return answer
  try {
    return asText(JSON.parse(answer))
  } catch {
    return answer
  }
}

function markedText(parts: readonly Marked[], tag: 'ins' | 'del'): HTMLElement {
  return el('pre', {}, ...parts.map(({ text, isSame }) => (isSame ? text : el(tag, {}, text))))
}
