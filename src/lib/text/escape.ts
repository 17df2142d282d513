import { unicodeEscape } from './unicode.ts'

/**
 * Text that cannot steer a terminal: control characters and those that reorder text become visible stand-ins.
 * Nor can it give orders to a CI system that reads what is printed: nothing that one sees stands between their marks.
 */
export function printable(text: string): string {
  const visible = text.replace(UNSAFE, picture)
  return visible.replace(INLINE_COMMAND, '#\u200b').replace(LINE_COMMAND, '$1:\u200b')
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
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', '↵'))
}

/** JSON in which what could steer a terminal or a CI system is escaped: the same data, for every reader. */
export function terminalSafeJson(json: string): string {
  return json
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, unicodeEscape)
    .replace(INLINE_COMMAND, unicodeEscape)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** `##[error]`, `##vso[…]`, `##teamcity[…]`: CI systems obey it wherever it stands in a line. */
export const INLINE_COMMAND = /#(?=#\w*\[)/g

/** `::error::`: GitHub obeys it where a line begins with it. */
const LINE_COMMAND = /^(\s*):(?=:)/gm

/** A text inside of an element or an attribute. What XML forbids is left out. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"'\t\n\r]/g, character => ESCAPES[character] ?? character)
}

/** XML in which what could steer a terminal or a CI system stands as a number: the same data, for every reader. */
export function terminalSafeXml(xml: string): string {
  const asNumber = (character: string) => `&#${character.charCodeAt(0)};`
  return xml.replace(TERMINAL_CONTROLS, asNumber).replace(INLINE_COMMAND, asNumber)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Of what XML allows. */
const TERMINAL_CONTROLS = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

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

/** A command of GitHub Actions: a line that it shows at a place in the files. */
export function workflowCommand(level: string, properties: Readonly<Record<string, string>>, text: string): string {
  const given = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`)
  return `::${level}${given.length > 0 ? ` ${given.join(',')}` : ''}::${data(text)}\n`
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
