import { unicodeEscape } from './unicode-escape.ts'

/**
 * Text that cannot steer a terminal: control characters and those that reorder text become visible stand-ins.
 * Nor can it give orders to a CI system that reads what is printed: nothing that one sees stands between their marks.
 */
export function printable(text: string): string {
  const visible = text.replace(UNSAFE, picture)
  return visible.replace(ORDER_IN_A_LINE, '#\u200b').replace(ORDER_AS_A_LINE, '$1:\u200b')
}

/** Text whose control characters are visible pictures; tabs and line breaks stay, and so does all other text. */
export function visibleControls(text: string): string {
  return text.replace(CONTROLS, picture)
}

function picture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** Text that cannot steer a terminal, nor begin a line of its own: a line break is shown as `↵`. */
export function onOneLine(text: string): string {
  return printable(text.replaceAll('\n', '↵'))
}

/** JSON in which what could steer a terminal or a CI system is escaped: the same data, for every reader. */
export function safeJson(json: string): string {
  return json
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, unicodeEscape)
    .replace(ORDER_IN_A_LINE, unicodeEscape)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** `##[error]`, `##vso[…]`, `##teamcity[…]`: CI systems obey it wherever it stands in a line. */
export const ORDER_IN_A_LINE = /#(?=#\w*\[)/g

/** `::error::`: GitHub obeys it where a line begins with it. */
const ORDER_AS_A_LINE = /^(\s*):(?=:)/gm
