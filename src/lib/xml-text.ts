/** A text inside of an element or an attribute. What XML forbids is left out. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"'\t\n\r]/g, character => ESCAPES[character] ?? character)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Blanks that an attribute would lose stand there as numbers. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}
