import * as z from 'zod'
import { beginning } from '../../lib/beginning.ts'
import { isMapping } from '../../lib/is-mapping.ts'
import { nearest } from '../../lib/nearest.ts'
import { shown } from '../../lib/shown.ts'
import type { Answer } from '../../model/answer.ts'
import { asText } from '../../model/content-text.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import { ANSWER_PARTS, answerFrom, rejectTooDeep } from './answer-parts.ts'

/** Field of every provider that reads envelopes. */
export const envelopeFields = {
  unknown_keys: z
    .enum(['error', 'warn'])
    .optional()
    .describe(
      `Whether a key that is not one of an answer (${ANSWER_PARTS.map(key => `\`${key}\``).join(', ')}) is an error, or ignored with a warning. Default: \`error\`.`,
    ),
}

const KEYS: readonly string[] = ANSWER_PARTS
const MOST_NAMED = 5

/** Whether a value is an answer in parts: an object with at least one of our keys. */
export function isEnvelope(value: unknown): value is Record<string, unknown> {
  return isMapping(value) && KEYS.some(key => Object.hasOwn(value, key))
}

export interface EnvelopeReading {
  readonly unknown_keys: 'error' | 'warn' | undefined
  /** What to do where the object is not meant as an envelope. */
  readonly otherwise: string
  warn(message: string): void
}

/** The answer in an envelope. Unknown keys are an error, or a warning with `unknown_keys: warn`. */
export function readEnvelope(
  envelope: Record<string, unknown>,
  { unknown_keys, otherwise, warn }: EnvelopeReading,
): Answer {
  const unknown = Object.keys(envelope).filter(key => !KEYS.includes(key))
  if (unknown.length > 0) {
    const named = `unknown ${unknown.length === 1 ? 'key' : 'keys'} ${keyList(unknown)} in the answer`
    if (unknown_keys !== 'warn') throw new NoAnswer('bad-response', unknownKeysMessage(named, otherwise, envelope))
    warn(`ignored the ${named}`)
  }
  return answerFrom(envelope)
}

function unknownKeysMessage(named: string, otherwise: string, { error }: Record<string, unknown>): string {
  rejectTooDeep(error, 'error')
  const reported = error == null ? '' : `; the target also reported an error: ${beginning(asText(error))}`
  return `${named}; fix the spelling, set \`unknown_keys: warn\` to ignore unknown keys, or ${otherwise}${reported}`
}

function keyList(keys: readonly string[]): string {
  const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : ''
  return keys.slice(0, MOST_NAMED).map(withSuggestion).join(', ') + more
}

/** The key, with the known one that is spelled like it or that has it as one of its words. */
function withSuggestion(key: string): string {
  const meant = nearest(key, KEYS) ?? KEYS.find(known => known.split('_').includes(key.toLowerCase()))
  return shown(key) + (meant === undefined ? '' : ` (did you mean \`${meant}\`?)`)
}
