import { looksLikeMessages, messageText } from '../../model/message.ts'

/** An expected output as text: as it is, the last words of the assistant, or the JSON of what is structured. */
export function expectedText(expected: unknown): string | undefined {
  if (looksLikeMessages(expected)) return messageText(expected.findLast(({ role }) => role === 'assistant'))
  return expected === undefined || typeof expected === 'string' ? expected : JSON.stringify(expected, null, 2)
}
