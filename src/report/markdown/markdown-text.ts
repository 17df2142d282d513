import { printableLine } from '../../lib/text/escape.ts'

/** Escapes markup, links and mentions in a text, which becomes one line. */
export function markdownText(text: string): string {
  return printableLine(text).replace(MARKUP, character => {
    // GitHub links names and issues in the rendered text; a zero-width space prevents that.
    const end = character === '@' || character === '#' ? '&#8203;' : ''
    return `&#${character.charCodeAt(0)};${end}`
  })
}

const MARKUP = /[\\`*_{}[\]()<>|~$&@#]|:(?=\/\/)|(?<=\bwww)\./gi
