import { cutText } from './cut-text.ts'

/** The beginning of a text that may be long, for a message. */
export function beginning(text: string): string {
  return cutText(text, 200)
}
