import { exactJson, findInexactIntegers, parseExactJson } from '../../lib/json/exact-json.ts'
import { lazily } from '../../lib/lazily.ts'
import { isMapping, isNestedWithin } from '../../lib/objects.ts'
import { quoteCode, truncateForMessage } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import * as z from '../../lib/zod.ts'
import { type Answer, NoAnswer } from '../../model/answer.ts'
import { DEEPEST_ANSWER } from '../../model/answer-limits.ts'
import { asText } from '../../model/messages/content-text.ts'
import { answerPartNames, readAnswer, rejectTooDeep } from './answer-parts.ts'
import { unknownKeysText } from './read-written.ts'

/** Field shared by all providers that read envelopes. */
export const envelopeFields = lazily(() => ({
  unknown_keys: z
    .enum(['error', 'warn'])
    .optional()
    .describe(
      `Whether an unknown key in an answer is an error or ignored with a warning. Known keys: ${answerPartNames()
        .map(key => `\`${key}\``)
        .join(', ')}. Default: \`error\`.`,
    ),
}))

/** Whether a value is an object with at least one key of an answer. */
export function isEnvelope(value: unknown): value is Record<string, unknown> {
  return isMapping(value) && answerPartNames().some(key => Object.hasOwn(value, key))
}

export interface EnvelopeOptions {
  readonly unknown_keys: 'error' | 'warn' | undefined
  /** What the user can do if the object is not an envelope, for error messages. */
  readonly otherwise: string
  warn(message: string): void
}

/** Reads the answer in an envelope. Unknown keys are an error, or a warning with `unknown_keys: warn`. */
export function readEnvelope(
  envelope: Record<string, unknown>,
  { unknown_keys, otherwise, warn }: EnvelopeOptions,
): Answer {
  const onUnknown = (paths: readonly PropertyKey[][]) => {
    const named = unknownKeysText(paths)
    if (unknown_keys !== 'warn') throw new NoAnswer('bad-response', unknownKeysMessage(named, otherwise, envelope))
    warn(`ignored the ${named}`)
  }
  // Checked before a reported error: an unknown key may be its cause.
  const unknown = Object.keys(envelope).filter(key => !answerPartNames().includes(key))
  if (envelope['error'] != null && unknown.length > 0) onUnknown(unknown.map(key => [key]))
  return readAnswer(envelope, onUnknown)
}

function unknownKeysMessage(named: string, otherwise: string, { error }: Record<string, unknown>): string {
  rejectTooDeep(error, 'error')
  const reported = error == null ? '' : `; the target also reported an error: ${truncateForMessage(asText(error))}`
  return `${named}; fix the spelling, set \`unknown_keys: warn\` to ignore unknown keys, or ${otherwise}${reported}`
}

/** Keys that are enough for an answer. */
const CONTENT_KEYS = ['text', 'output', 'output_messages', 'tool_calls']

/** Warns of a misspelled key in an object that has no key of an answer and is therefore graded as text. */
export function warnOfMisspelledKey(value: unknown, otherwise: string, warn: (message: string) => void): void {
  if (!isMapping(value)) return
  for (const key of Object.keys(value)) {
    const near = key === 'messages' ? 'output_messages' : closestMatch(key, CONTENT_KEYS)
    if (near === undefined) continue
    warn(
      `the JSON answer is read as text: rename ${quoteCode(key)} to \`${near}\` if that is the key you want, otherwise ${otherwise}`,
    )
    return
  }
}

/** Longer JSON is not indented, since indentation could exceed the size limit of an answer. */
const MAX_INDENTED_LENGTH = 20_000

/** Replaces a structured `text` or `output` by its exact JSON if parsing `json` has rounded large integers in it. */
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
