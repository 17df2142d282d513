import { ORDER_IN_A_LINE } from './printable.ts'

/** A text inside of an element or an attribute. What XML forbids is left out. */
export function xmlText(text: string): string {
  return text.replace(FORBIDDEN, '').replace(/[&<>"'\t\n\r]/g, character => ESCAPES[character] ?? character)
}

/** XML in which what could steer a terminal or a CI system stands as a number: the same data, for every reader. */
export function harmlessXml(xml: string): string {
  const asNumber = (character: string) => `&#${character.charCodeAt(0)};`
  return xml.replace(STEERING, asNumber).replace(ORDER_IN_A_LINE, asNumber)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** Of what XML allows. */
const STEERING = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

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
