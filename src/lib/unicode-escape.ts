/** `\u2028`: a unit of text as the strings of JSON may have it. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
