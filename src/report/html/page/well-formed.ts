/** An address has no room for half a character: what may stand in one is without. */
export function wellFormed(text = ''): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}
