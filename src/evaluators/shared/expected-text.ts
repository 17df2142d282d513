import { looksLikeMessages } from '../../model/message.ts'
import { textOf } from '../../model/message-text.ts'

/** An expected output as text: as it is, the last words of the assistant, or the JSON of what is structured. */
export function expectedText(expected: unknown): string | undefined {
  if (looksLikeMessages(expected)) return textOf(expected.findLast(({ role }) => role === 'assistant'))
  return expected === undefined || typeof expected === 'string' ? expected : JSON.stringify(expected, null, 2)
}
