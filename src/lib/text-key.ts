/** One text for several, from which no other several come. */
export function textKey(...texts: readonly string[]): string {
  let key = ''
  for (const text of texts) key += `${text.length} ${text}`
  return key
}
