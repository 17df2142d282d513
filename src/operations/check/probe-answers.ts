import type { Answer } from '../../model/answer.ts'
import type { Probe } from '../../model/probe.ts'

/** An answer that no test should accept, and its name in messages. */
export interface NonAnswer {
  readonly name: string
  readonly text: string
}

export const EMPTY: NonAnswer = { name: 'an empty answer', text: '' }
const BLANK: NonAnswer = { name: 'a blank answer', text: ' \n' }
export const UNKNOWING: NonAnswer = { name: '"I don\'t know."', text: "I don't know." }
const REFUSAL: NonAnswer = { name: 'a refusal', text: "I'm sorry, I can't help with that." }

/** Answers without content. */
export const NON_ANSWERS: readonly NonAnswer[] = [EMPTY, BLANK, UNKNOWING, REFUSAL]

/** Texts without digits, about nothing that tests ask. */
export const UNRELATED: readonly string[] = [
  'Bakers in the old harbour town rise long before dawn. Flour, water and salt are weighed by hand, and the dough rests under linen cloths while the ovens warm.',
  'Glaciers carve valleys during thousands of winters. Their meltwater feeds rivers, and the gravel that is left behind tells geologists which way the ice used to move.',
]

const [PROSE = '', OTHER_PROSE = ''] = UNRELATED

/** Many kinds of characters, in upper and lower case. */
const MIXED = [
  '# Überblick: ÄÖÜ, 中文, русский 😀!',
  '- item 1 of 3 (50 %), see <https://example.com/a?b=c&d=e#f>',
  '- "quoted" & \'single\'; `code` + {braces} [brackets] | $1,234.56 = €7 ~ ^ * _ \\ @',
  '```js\nconst x = [1, 2, 3];\n```',
  'YES. No? true/false null N/A 2024-12-31 12:00',
].join('\n')

const JSON_TEXT = JSON.stringify({ a: 1, b: [true, null, 'text'], c: { d: 'e' } })

/** The answers that every check is tried with, after those that are made from its own words. */
export const COMMON_PROBES: readonly Probe[] = [
  ...NON_ANSWERS.map(({ text }) => ({ text })),
  ...UNRELATED.map(text => ({ text })),
  { text: MIXED },
  { text: JSON_TEXT },
  { text: `${PROSE}\n\n${MIXED}\n\n${OTHER_PROSE}\n`.repeat(60) },
]

/** Every text of these is an answer of its own kind: a test that accepts all of them accepts anything. */
export const ANY_TEXTS: readonly string[] = [UNKNOWING.text, ...UNRELATED, MIXED, JSON_TEXT]

/** The answer of a probe: its calls are known. */
export function answerOf({ text = '', calls = [], ...figures }: Probe): Answer {
  return {
    ...figures,
    text,
    output_messages: [{ role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: [...calls] } : {}) }],
  }
}

const REFUSING =
  /\b(can ?not|can[’']?t|could ?n[’']t|won[’']?t|will not|unable|not able|sorry|apologi[sz]e|decline|refuse|not allowed|not permitted|do(es)?n[’']?t know|do(es)? not know|unknown|not sure|no idea|no answer|none|nothing|n\/a)\b/i

/** Whether a reference answer is itself a refusal, or says that nothing is known. */
export function isNonAnswer(text: string): boolean {
  return text.trim() === '' || REFUSING.test(text)
}

/** The first half of a text, up to the end of a word. */
export function halfOf(text: string): string {
  const half = text.slice(0, Math.floor(text.length / 2))
  const end = half.search(/\s\S*$/)
  return end > 0 ? half.slice(0, end) : half
}

const OPPOSITES: Readonly<Record<string, string>> = { yes: 'no', no: 'yes', true: 'false', false: 'true' }
const VERB = /\b(is|are|was|were|can|will|does|do|did|has|have|had|should|must)\b(?! not)/i

/** The opposite of a text, by a simple rule: the other word of a pair, `not` after the first auxiliary verb, or a denial before it. */
export function negationOf(text: string): string {
  const opposite = OPPOSITES[text.trim().replace(/\.$/, '').toLowerCase()]
  if (opposite !== undefined) return opposite
  return VERB.test(text) ? text.replace(VERB, '$1 not') : `It is not true that: ${text}`
}
