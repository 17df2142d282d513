import { isMapping } from '../lib/is-mapping.ts'

/** A call of a tool as Python would write it: `greet(name='Alice')`. Nothing is cut, so that it can be read back. */
export function callText(tool: string, input: unknown): string {
  return `${tool}(${argumentsText(input)})`
}

function argumentsText(input: unknown): string {
  if (input === undefined) return ''
  if (!isMapping(input)) return pythonText(input)
  const entries = Object.entries(input)
  // Names that Python does not take for names go another way.
  if (!entries.every(([name]) => IDENTIFIER.test(name))) return `**${pythonText(input)}`
  return entries.map(([name, value]) => `${name}=${pythonText(value)}`).join(', ')
}

/** What Python takes for a name, but for its own words: those read back as well. */
export const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** A value as Python's `repr` writes it. */
function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return pythonString(value)
  if (typeof value === 'number') return pythonNumber(value)
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  const entries = Object.entries(value as object).map(([key, part]) => `${pythonString(key)}: ${pythonText(part)}`)
  return `{${entries.join(', ')}}`
}

/** JSON does not tell 1 from 1.0: what is whole is an int. */
function pythonNumber(value: number): string {
  if (value === 0) return '0'
  // Python goes over to exponents earlier.
  const text = Math.abs(value) < 1e-4 ? value.toExponential() : String(value)
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** In single quotes, unless only those are in it. */
function pythonString(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  const special = quote === '"' ? SPECIAL_IN_DOUBLE : SPECIAL_IN_SINGLE
  const escaped = value.replace(special, character => {
    if (character === quote) return `\\${quote}`
    return ESCAPES.get(character) ?? escapeOf(character)
  })
  return `${quote}${escaped}${quote}`
}

// What Python does not print as it is: controls, separators but for the blank, halves of characters; and what it escapes.
const SPECIAL_IN_SINGLE = /(?! )[\p{C}\p{Z}\\']/gu
const SPECIAL_IN_DOUBLE = /(?! )[\p{C}\p{Z}\\"]/gu

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
