import { findJsonObjectsOnLines } from '../../../lib/json/find-objects.ts'
import { findJsonError, parseJson } from '../../../lib/json/parse-json.ts'
import { lazily } from '../../../lib/lazily.ts'
import { isMapping } from '../../../lib/objects.ts'
import { LineIndex } from '../../../lib/text/line-index.ts'
import { quoteCode, truncateForMessage } from '../../../lib/text/quote.ts'
import { type Answer, NoAnswer } from '../../../model/answer.ts'
import { answerPartNames } from '../answer-parts.ts'
import {
  type EnvelopeOptions,
  isEnvelope,
  readEnvelope,
  restoreExactIntegers,
  warnOfMisspelledKey,
} from '../envelope.ts'

export interface OutputOptions extends Omit<EnvelopeOptions, 'otherwise'> {
  readonly output_format: 'text' | 'json' | undefined
}

/** Reads the output of a program: an envelope if it has keys of an answer, otherwise text. An envelope among other lines is an error. */
export function readOutput(output: string, { output_format, ...reading }: OutputOptions): Answer {
  const text = { text: output.replace(/\r?\n$/, '') }
  if (output_format === 'text') return text
  const value = parseJson(output.trim())
  const otherwise = 'set `output_format: text` if the JSON itself is the answer'
  if (isEnvelope(value) || (output_format === 'json' && isMapping(value)))
    return readEnvelope(restoreExactIntegers(value, output.trim()), { ...reading, otherwise })
  warnOfMisspelledKey(value, otherwise, reading.warn)
  if (value !== undefined) return text
  rejectOtherLines(output)
  if (brokenEnvelope().test(output.trim()))
    throw new NoAnswer(
      'bad-response',
      `the answer is not valid JSON: ${findJsonError(output.trim()).reason}; fix it, or set \`output_format: text\` if the text itself is the answer`,
    )
  if (output_format === 'json')
    throw new NoAnswer('bad-response', `the output is not JSON: ${truncateForMessage(output)}`)
  return text
}

/** Invalid JSON that begins with a key of an answer is a broken envelope. */
const brokenEnvelope = lazily(() => new RegExp(`^\\ufeff?\\{\\s*"(?:${answerPartNames().join('|')})"\\s*:`))

/** Rejects output with an envelope and other lines. The message quotes the first other line. */
function rejectOtherLines(output: string): void {
  const whole = output.replace(/^\ufeff/, '')
  for (const [start, end] of findJsonObjectsOnLines(whole)) {
    if (!isEnvelopeAt(whole, start, end)) continue
    const before = whole.slice(0, start).search(/\S/)
    const offset = before >= 0 ? before : end + whole.slice(end).search(/\S/)
    const { line } = new LineIndex(whole).position(offset)
    const [words = ''] = whole.slice(offset).split(/[\r\n]/, 1)
    throw new NoAnswer(
      'bad-response',
      `line ${line} ${quoteCode(words)} is not part of the answer; print logs to stderr, or set \`output_format: text\` if all of the output is the answer`,
    )
  }
}

/** The keys that identify an envelope among other lines. The rest also occur in logs. */
const ANSWER_KEYS = ['text', 'output', 'output_messages']

function isEnvelopeAt(text: string, start: number, end: number): boolean {
  const lineEnd = /[ \t]*(?:[\r\n{]|$)/y
  lineEnd.lastIndex = end
  if (!lineEnd.test(text)) return false
  const value = parseJson(text.slice(start, end))
  return isMapping(value) && ANSWER_KEYS.some(key => Object.hasOwn(value, key))
}
