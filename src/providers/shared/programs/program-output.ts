import { beginning } from '../../../lib/beginning.ts'
import { isMapping } from '../../../lib/is-mapping.ts'
import { jsonError } from '../../../lib/json-error.ts'
import { jsonObjectsOnLines } from '../../../lib/json-objects.ts'
import { LineIndex } from '../../../lib/line-index.ts'
import { parseJson } from '../../../lib/parse-json.ts'
import { shown } from '../../../lib/shown.ts'
import type { Answer } from '../../../model/answer.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import { ANSWER_PARTS } from '../answer-parts.ts'
import { type EnvelopeReading, isEnvelope, readEnvelope, warnOfTypo } from '../envelope.ts'
import { withExactText } from '../exact-text.ts'

export interface OutputReading extends Omit<EnvelopeReading, 'otherwise'> {
  readonly output_format: 'text' | 'json' | undefined
}

/** Reads what a program printed: an envelope where it has our keys, else text. An envelope among other lines is an error. */
export function readOutput(output: string, { output_format, ...reading }: OutputReading): Answer {
  const text = { text: output.replace(/\r?\n$/, '') }
  if (output_format === 'text') return text
  const value = parseJson(output.trim())
  const otherwise = 'set `output_format: text` if the JSON itself is the answer'
  if (isEnvelope(value) || (output_format === 'json' && isMapping(value)))
    return readEnvelope(withExactText(value, output.trim()), { ...reading, otherwise })
  warnOfTypo(value, otherwise, reading.warn)
  if (value !== undefined) return text
  rejectOtherLines(output)
  if (BROKEN_ENVELOPE.test(output.trim()))
    throw new NoAnswer(
      'bad-response',
      `the answer is not valid JSON: ${jsonError(output.trim()).reason}; fix it, or set \`output_format: text\` if the text itself is the answer`,
    )
  if (output_format === 'json') throw new NoAnswer('bad-response', `the output is not JSON: ${beginning(output)}`)
  return text
}

/** Begins with one of our keys: meant as an envelope, also where it cannot be parsed. */
const BROKEN_ENVELOPE = new RegExp(`^\\ufeff?\\{\\s*"(?:${ANSWER_PARTS.join('|')})"\\s*:`)

/** Rejects an output with an envelope and something else, which is named. */
function rejectOtherLines(output: string): void {
  const whole = output.replace(/^\ufeff/, '')
  for (const [start, end] of jsonObjectsOnLines(whole)) {
    if (!isEnvelopeAt(whole, start, end)) continue
    const before = whole.slice(0, start).search(/\S/)
    const offset = before >= 0 ? before : end + whole.slice(end).search(/\S/)
    const { line } = new LineIndex(whole).position(offset)
    const [words = ''] = whole.slice(offset).split(/[\r\n]/, 1)
    throw new NoAnswer(
      'bad-response',
      `line ${line} ${shown(words)} is not part of the answer; print logs to stderr, or set \`output_format: text\` if all of the output is the answer`,
    )
  }
}

/** The keys by which an object among other lines is known to be an envelope: logs have the others too. */
const ANSWER_KEYS = ['text', 'output', 'output_messages']

function isEnvelopeAt(text: string, start: number, end: number): boolean {
  const lineEnd = /[ \t]*(?:[\r\n{]|$)/y
  lineEnd.lastIndex = end
  if (!lineEnd.test(text)) return false
  const value = parseJson(text.slice(start, end))
  return isMapping(value) && ANSWER_KEYS.some(key => Object.hasOwn(value, key))
}
