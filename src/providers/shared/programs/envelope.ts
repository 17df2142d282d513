import { beginning } from '../../../lib/beginning.ts'
import { isMapping } from '../../../lib/is-mapping.ts'
import { parseJson } from '../../../lib/parse-json.ts'
import type { Answer } from '../../../model/answer.ts'
import { NoAnswer } from '../../../model/no-answer.ts'
import { answerFrom } from '../answer-parts.ts'

/** The keys that an envelope may have, and those of which it needs one. */
const KEYS = ['output_messages', 'text', 'output', 'token_usage', 'cost_usd', 'duration_ms', 'model', 'error']
const NEEDED = KEYS.slice(0, 3)

/** What a program printed, as an answer: our envelope where it is one, else the whole text. */
export function readOutput(output: string, format: 'text' | 'json' | undefined): Answer {
  if (format === 'text') return { text: withoutLastBreak(output) }
  const value = output.trimStart().startsWith('{') || format === 'json' ? parseJson(output) : undefined
  if (format === 'json') {
    if (value === undefined) throw new NoAnswer('bad-response', `the output is not JSON: ${beginning(output)}`)
    return isMapping(value) ? answerFrom(value) : { text: withoutLastBreak(output) }
  }
  return isEnvelope(value) ? answerFrom(value) : { text: withoutLastBreak(output) }
}

export function isEnvelope(value: unknown): value is Record<string, unknown> {
  if (!isMapping(value)) return false
  const keys = Object.keys(value)
  return keys.every(key => KEYS.includes(key)) && keys.some(key => NEEDED.includes(key))
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}
