import { unicodeEscape } from './unicode.ts'

/**
 * Makes text safe to print: control and bidirectional characters become visible replacements, and a zero-width space
 * breaks up commands to CI systems.
 */
export function printable(text: string): string {
  const visible = text.replace(UNSAFE, picture)
  return visible.replace(INLINE_COMMAND, '#\u200b').replace(LINE_COMMAND, '$1:\u200b')
}

/** Replaces control characters by visible symbols, except tabs and line breaks. */
export function visibleControls(text: string): string {
  return text.replace(CONTROLS, picture)
}

function picture(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** Makes text safe to print on one line: line breaks become `↵`. */
export function printableLine(text: string): string {
  return printable(text.replaceAll('\n', '↵'))
}

/** Escapes what could control a terminal or a CI system in JSON text; the data stays the same. */
export function terminalSafeJson(json: string): string {
  return json
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, unicodeEscape)
    .replace(INLINE_COMMAND, unicodeEscape)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** `##[error]`, `##vso[…]`, `##teamcity[…]`: CI systems execute these anywhere in a line. */
export const INLINE_COMMAND = /#(?=#\w*\[)/g

/** `::error::`: GitHub executes it at the start of a line. */
const LINE_COMMAND = /^(\s*):(?=:)/gm

/** Escapes text for an XML element or attribute; removes characters that XML forbids. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"'\t\n\r]/g, character => ESCAPES[character] ?? character)
}

/** Escapes what could control a terminal or a CI system in XML text; the data stays the same. */
export function terminalSafeXml(xml: string): string {
  const asNumber = (character: string) => `&#${character.charCodeAt(0)};`
  return xml.replace(TERMINAL_CONTROLS, asNumber).replace(INLINE_COMMAND, asNumber)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Control characters that XML allows. */
const TERMINAL_CONTROLS = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Whitespace is escaped too: attributes would normalize it. */
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

/** Formats a workflow command of GitHub Actions, which annotates a location in a file. */
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
