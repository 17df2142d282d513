/** A text without halves of characters, which no address can hold: a stand-in is in their place. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
