import { isMapping } from '../../../lib/objects.ts'
import { type DiffLine, listDiff } from '../../../lib/text/diff.ts'
import { asText } from '../../../model/messages/content-text.ts'
import type { Result } from '../../../model/result.ts'
import { expectedText } from '../../../report/result-texts.ts'
import { el, longText } from '../../dom/element.ts'

/** Input, expected output and answer side by side, with differences marked. */
export function textsSection(result: Result): HTMLElement {
  const { input, expected_output, answer } = result
  const expected = expectedText(result)
  const answerText = answer === null ? undefined : comparable(answer, expected_output)
  const marked = expected === undefined || answerText === undefined ? undefined : diffTexts(expected, answerText)
  return el(
    'section',
    { class: `texts ${expected === undefined ? 'two' : 'three'}`, 'aria-label': 'Input, expected output and answer' },
    panel('Input', ...input.map(messageBlock)),
    ...(expected === undefined
      ? []
      : [panel('Expected', marked ? markedText(marked.from, 'del') : longText(expected))]),
    panel(
      'Answer',
      answerText === undefined
        ? el('p', { class: 'faint' }, 'No answer.')
        : marked
          ? markedText(marked.to, 'ins')
          : longText(answerText),
    ),
  )
}

function panel(name: string, ...children: Node[]): HTMLElement {
  return el('section', { class: 'panel' }, el('h2', { class: 'label' }, name), ...children)
}

/** Formats a JSON answer like the expected data. */
function comparable(answer: string, expected: unknown): string {
  if (typeof expected !== 'object') return answer
  try {
    return asText(JSON.parse(answer))
  } catch {
    return answer
  }
}

function markedText(parts: readonly DiffPart[], tag: 'ins' | 'del'): HTMLElement {
  return el('pre', {}, ...parts.map(({ text, isSame }) => (isSame ? text : el(tag, {}, text))))
}

/** A message of the input, in any recorded form. */
function messageBlock(message: unknown): HTMLElement {
  if (!isMapping(message)) return longText(asText(message))
  const { role, content, tool_calls } = message
  const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content]
  return el(
    'div',
    { class: 'message' },
    el('p', { class: 'role' }, asText(role ?? '')),
    ...blocks.map(contentBlock),
    tool_calls !== undefined && longText(asText(tool_calls)),
  )
}

/** Only inline bitmap images are answerText: nothing is fetched, and SVG can contain code. */
const INLINE_IMAGE = /^data:image\/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]+$/

function contentBlock(block: unknown): Node {
  if (!isMapping(block)) return longText(asText(block))
  const { type, value, sha256 } = block
  const text = asText(value ?? block['text'] ?? block)
  if (type === 'image' && INLINE_IMAGE.test(text)) return el('img', { src: text, alt: 'An image of the input' })
  if (type !== 'file' && type !== 'image') return longText(text)
  return el(
    'p',
    { class: 'file' },
    el('code', {}, text),
    typeof sha256 === 'string' && el('span', { class: 'faint' }, ` ${sha256.slice(0, 8)}`),
  )
}

interface DiffPart {
  readonly text: string
  readonly isSame: boolean
}

/** Longer texts are answerText without marks. */
const MAX_DIFF_LENGTH = 50_000

/** Limit for comparing words; beyond it, lines are compared. */
const MAX_WORD_PAIRS = 2_000_000

/** Marks the differences of two texts; undefined if they are too long. */
function diffTexts(from: string, to: string): { from: DiffPart[]; to: DiffPart[] } | undefined {
  if (from.length > MAX_DIFF_LENGTH || to.length > MAX_DIFF_LENGTH) return undefined
  const [a, b] = [wordsOf(from), wordsOf(to)]
  const parts = a.length * b.length > MAX_WORD_PAIRS ? listDiff(linesOf(from), linesOf(to)) : listDiff(a, b)
  return { from: joined(parts, '-'), to: joined(parts, '+') }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** Returns one side of the diff, with adjacent equal marks joined. */
function joined(parts: readonly DiffLine[], mark: '-' | '+'): DiffPart[] {
  const side: { text: string; isSame: boolean }[] = []
  for (const part of parts) {
    if (part.mark !== ' ' && part.mark !== mark) continue
    const isSame = part.mark === ' '
    const last = side.at(-1)
    if (last?.isSame === isSame) last.text += part.text
    else side.push({ text: part.text, isSame })
  }
  return side
}
