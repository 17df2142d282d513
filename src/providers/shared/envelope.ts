import * as z from 'zod'
import { beginning } from '../../lib/beginning.ts'
import { isMapping } from '../../lib/is-mapping.ts'
import { nearest } from '../../lib/nearest.ts'
import { shown } from '../../lib/shown.ts'
import type { Answer } from '../../model/answer.ts'
import { asText } from '../../model/content-text.ts'
import { NoAnswer } from '../../model/no-answer.ts'
import { unknownKeysText } from '../../model/read-written.ts'
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

/** Whether a value is an answer in parts: an object with at least one of our keys. */
export function isEnvelope(value: unknown): value is Record<string, unknown> {
  return isMapping(value) && ANSWER_PARTS.some(key => Object.hasOwn(value, key))
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
  const onUnknown = (paths: readonly PropertyKey[][]) => {
    const named = unknownKeysText(paths)
    if (unknown_keys !== 'warn') throw new NoAnswer('bad-response', unknownKeysMessage(named, otherwise, envelope))
    warn(`ignored the ${named}`)
  }
  // Said before an error that the target reports: it may be why there is one.
  const unknown = Object.keys(envelope).filter(key => !ANSWER_PARTS.includes(key))
  if (envelope['error'] != null && unknown.length > 0) onUnknown(unknown.map(key => [key]))
  return answerFrom(envelope, onUnknown)
}

function unknownKeysMessage(named: string, otherwise: string, { error }: Record<string, unknown>): string {
  rejectTooDeep(error, 'error')
  const reported = error == null ? '' : `; the target also reported an error: ${beginning(asText(error))}`
  return `${named}; fix the spelling, set \`unknown_keys: warn\` to ignore unknown keys, or ${otherwise}${reported}`
}

/** Keys that hold an answer by themselves. */
const CONTENT_KEYS = ['text', 'output', 'output_messages', 'tool_calls']

/** Warns of an object without any of our keys that has one spelled like ours: it is graded as text. */
export function warnOfTypo(value: unknown, otherwise: string, warn: (message: string) => void): void {
  if (!isMapping(value)) return
  for (const key of Object.keys(value)) {
    const meant = key === 'messages' ? 'output_messages' : nearest(key, CONTENT_KEYS)
    if (meant === undefined) continue
    warn(`the JSON answer is read as text; if ${shown(key)} is meant as \`${meant}\`, rename it, else ${otherwise}`)
    return
  }
}
