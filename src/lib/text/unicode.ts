import { lazily } from '../lazily.ts'

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

/** Returns the width of a text in terminal columns: two for wide characters and emoji, none for combining marks. */
export function displayWidth(text: string): number {
  let width = 0
  let before = ''
  for (const character of text) {
    width += characterWidth(character, before)
    before = character
  }
  return width
}

/** Returns how much wider a character makes a text that ends with `before`. */
export function characterWidth(character: string, before = ''): number {
  if ((character >= ' ' && character <= '~') || NARROW.test(character)) return 1
  if (character === EMOJI_STYLE) return before !== '' && characterWidth(before) === 1 ? 1 : 0
  const { none, wide, halfFlag } = widths()
  if (none.test(character)) return 0
  return wide.test(character) && !halfFlag.test(character) ? 2 : 1
}

/** Cuts off the end of a text that is wider than `columns`, and marks the cut with `…`. */
export function cutToWidth(text: string, columns: number): string {
  let [width, end, kept] = [0, 0, 0]
  let before = ''
  for (const character of text) {
    width += characterWidth(character, before)
    if (width > columns) return `${text.slice(0, kept)}…`
    end += character.length
    if (width < columns) kept = end
    before = character
  }
  return text
}

/** Makes a narrow symbol before it an emoji, which is wide. */
const EMOJI_STYLE = '\ufe0f'

/** Letters, punctuation and signs of which our own texts have some: they need no class of characters. */
const NARROW = /^[\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff]$/

/** Classes of characters, which take long to prepare. */
const widths = lazily(() => ({
  none: /^[\p{Mn}\p{Me}\p{Cf}]$/u,
  wide: /^\p{Emoji_Presentation}|^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u,
  /** Two of these letters are one flag. */
  halfFlag: /^\p{Regional_Indicator}$/u,
}))

/** Replaces lone surrogates, which URLs cannot hold, by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Escapes a UTF-16 unit for a JSON string: `\u2028`. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
