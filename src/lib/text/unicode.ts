export type DecodedText = { readonly text: string } | { readonly text: string; readonly invalidAt: number }

/**
 * Decodes UTF-8 and removes a byte order mark. For invalid bytes, `text` ends at the first of them, and `invalidAt` is
 * its length.
 */
export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const prefix = validPrefix(bytes)
    return { text: prefix, invalidAt: prefix.length }
  }
}

function validPrefix(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoded = new TextEncoder().encode(decoder.decode(bytes))
  let end = 0
  while (end < bytes.length && bytes[end] === encoded[end]) end++
  // The first difference may be inside a character whose first bytes are equal: step back to its start.
  while (end > 0 && isContinuation(bytes[end]) && isContinuation(encoded[end])) end--
  return new TextDecoder('utf-8').decode(bytes.subarray(0, end))
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Returns the width of a text in terminal columns: two for wide characters, none for combining marks. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const WIDE =
  /^\p{Emoji_Presentation}|^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u

/** Replaces lone surrogates, which URLs cannot hold, by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Escapes a UTF-16 unit for a JSON string: `\u2028`. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
