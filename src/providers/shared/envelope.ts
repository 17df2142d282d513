import * as z from 'zod'
import { exactJson, findInexactIntegers, parseExactJson } from '../../lib/json/exact-json.ts'
import { isMapping, isNestedWithin } from '../../lib/objects.ts'
import { quoteCode, truncateForMessage } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import { type Answer, NoAnswer } from '../../model/answer.ts'
import { DEEPEST_ANSWER } from '../../model/answer-limits.ts'
import { asText } from '../../model/messages/content-text.ts'
import { ANSWER_PARTS, readAnswer, rejectTooDeep } from './answer-parts.ts'
import { unknownKeysText } from './read-written.ts'

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

export interface EnvelopeOptions {
  readonly unknown_keys: 'error' | 'warn' | undefined
  /** What to do where the object is not meant as an envelope. */
  readonly otherwise: string
  warn(message: string): void
}

/** The answer in an envelope. Unknown keys are an error, or a warning with `unknown_keys: warn`. */
export function readEnvelope(
  envelope: Record<string, unknown>,
  { unknown_keys, otherwise, warn }: EnvelopeOptions,
): Answer {
  const onUnknown = (paths: readonly PropertyKey[][]) => {
    const named = unknownKeysText(paths)
    if (unknown_keys !== 'warn') throw new NoAnswer('bad-response', unknownKeysMessage(named, otherwise, envelope))
    warn(`ignored the ${named}`)
  }
  // Said before an error that the target reports: it may be why there is one.
  const unknown = Object.keys(envelope).filter(key => !ANSWER_PARTS.includes(key))
  if (envelope['error'] != null && unknown.length > 0) onUnknown(unknown.map(key => [key]))
  return readAnswer(envelope, onUnknown)
}

function unknownKeysMessage(named: string, otherwise: string, { error }: Record<string, unknown>): string {
  rejectTooDeep(error, 'error')
  const reported = error == null ? '' : `; the target also reported an error: ${truncateForMessage(asText(error))}`
  return `${named}; fix the spelling, set \`unknown_keys: warn\` to ignore unknown keys, or ${otherwise}${reported}`
}

/** Keys that hold an answer by themselves. */
const CONTENT_KEYS = ['text', 'output', 'output_messages', 'tool_calls']

/** Warns of an object without any of our keys that has one spelled like ours: it is graded as text. */
export function warnOfMisspelledKey(value: unknown, otherwise: string, warn: (message: string) => void): void {
  if (!isMapping(value)) return
  for (const key of Object.keys(value)) {
    const meant = key === 'messages' ? 'output_messages' : closestMatch(key, CONTENT_KEYS)
    if (meant === undefined) continue
    warn(`the JSON answer is read as text; if ${quoteCode(key)} is meant as \`${meant}\`, rename it, else ${otherwise}`)
    return
  }
}

/** Indentation may multiply the length of longer ones beyond what an answer may have. */
const MAX_INDENTED_LENGTH = 20_000

/** An envelope, which is `json` parsed, with a structured `text` or `output` as JSON where a number would round its integers. */
export function restoreExactIntegers(envelope: Record<string, unknown>, json: string): Record<string, unknown> {
  if (findInexactIntegers(json).length === 0 || !isNestedWithin(envelope, DEEPEST_ANSWER)) return envelope
  const exact = parseExactJson(json)
  if (!isMapping(exact)) return envelope
  const { text, output } = exact
  const indent = json.length > MAX_INDENTED_LENGTH ? 0 : 2
  return {
    ...envelope,
    ...(text == null || typeof text === 'string' ? {} : { text: exactJson(text, { indent }) }),
    ...(output == null || typeof output === 'string' || Array.isArray(output)
      ? {}
      : { output: exactJson(output, { indent }) }),
  }
}
