import { createRequire } from 'node:module'

/** A regular expression that RE2 matches in linear time. */
export interface LinearPattern {
  /** The most steps that it takes for each character. */
  readonly size: number
  /** Undefined for a text in which JavaScript sees line breaks that RE2 does not know. */
  test(text: string): boolean | undefined
}

/** Longer patterns take too long to compile. */
const LONGEST = 2000

/** Compiles a pattern for RE2; undefined when RE2 cannot match it, or could match it in another way than JavaScript. */
export function compileLinear(pattern: string, flags: string): LinearPattern | undefined {
  if (pattern.length > LONGEST || /[^ms]/.test(flags)) return undefined
  const source = translate(pattern, flags)
  if (source === undefined) return undefined
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js')
  try {
    const regex = RE2JS.compile(source)
    const hasLines = /\(\?m/.test(source)
    return {
      size: regex.programSize(),
      test: text => (hasLines && OTHER_BREAK.test(text) ? undefined : regex.test(separateUnits(text))),
    }
  } catch {
    // RE2 limits how often a part may be repeated.
    return undefined
  }
}

/** What ends a line in JavaScript but not in RE2. */
const OTHER_BREAK = /[\r\u2028\u2029]/

/** Where surrogates are put: JavaScript matches units of UTF-16, RE2 whole characters. No character is assigned there. */
const UNIT_OFFSET = 0x100000

function separateUnits(text: string): string {
  return text.replace(/[\ud800-\udfff]/g, unit => String.fromCodePoint(UNIT_OFFSET + unit.charCodeAt(0)))
}

/** Writes a pattern so that it means the same to RE2; undefined for syntax that is not in the table. */
function translate(pattern: string, flags: string): string | undefined {
  let source = ''
  for (let offset = 0; offset < pattern.length; ) {
    const rule = SYNTAX.find(([syntax]) => {
      syntax.lastIndex = offset
      return syntax.test(pattern)
    })
    if (!rule) return undefined
    const [syntax, write] = rule
    const part = write(pattern.slice(offset, syntax.lastIndex), flags)
    if (part === undefined) return undefined
    source += part
    offset = syntax.lastIndex
  }
  return source
}

/** The syntax of both engines, and how RE2 spells it. Only whether a pattern matches counts, so groups capture nothing. */
const SYNTAX: readonly [syntax: RegExp, write: (part: string, flags: string) => string | undefined][] = [
  [/\\[dDwWsS]/y, set => `[${setText(set)}]`],
  [/\\[bB]/y, boundary => boundary],
  [/\\(?:[tnvfr]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|0(?!\d)|[^A-Za-z\d])/y, character => unitText(unitOf(character))],
  [/\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/y, () => '(?:'],
  [/[)|]|(?:[*+?]|\{\d+(?:,\d*)?\})\??/y, operator => operator],
  [/\./y, (_, flags) => (flags.includes('s') ? '(?s:.)' : `[^\\n\\r${rangeText(0x2028, 0x2029)}]`)],
  [/\^/y, (_, flags) => (flags.includes('m') ? '(?m:^)' : '\\A')],
  [/\$/y, (_, flags) => (flags.includes('m') ? '(?m:$)' : '\\z')],
  [/\[(?:[^\]\\]|\\[\s\S])*\]/y, classText],
  [/[^\\(]/y, literal => unitText(literal.charCodeAt(0))],
]

/** The characters of `\s` in JavaScript, of which RE2 has only some. */
const SPACES = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const

const LAST_CHARACTER = 0x10ffff

/** `\d`, `\w` and the like inside a class. */
function setText(set: string): string {
  if (set === '\\s') return SPACES.map(([low, high]) => `${hex(low)}-${hex(high)}`).join('')
  if (set !== '\\S') return set
  const starts = [0, ...SPACES.map(([, high]) => high + 1)]
  const ends = [...SPACES.map(([low]) => low - 1), LAST_CHARACTER]
  return starts.map((start, index) => `${hex(start)}-${hex(ends[index] ?? LAST_CHARACTER)}`).join('')
}

const CLASS_ITEM = /\\[dDwWsS]|\\(?:[tnvfrb]|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|0(?!\d)|[^A-Za-z\d])|[^\\]/g

function classText(text: string): string | undefined {
  const isNegated = text.startsWith('[^')
  const body = text.slice(isNegated ? 2 : 1, -1)
  const items = body.match(CLASS_ITEM) ?? []
  if (items.join('') !== body) return undefined
  if (items.length === 0) return isNegated ? '(?s:.)' : `[^${hex(0)}-${hex(LAST_CHARACTER)}]`
  let parts = ''
  for (let index = 0; index < items.length; index++) {
    const [item = '', dash, end] = items.slice(index, index + 3)
    if (dash !== '-' || end === undefined) parts += itemText(item)
    else {
      parts += isSet(item) || isSet(end) ? itemText(item) + itemText('-') + itemText(end) : rangeOf(item, end)
      index += 2
    }
  }
  return `[${isNegated ? '^' : ''}${parts}]`
}

function itemText(item: string): string {
  return isSet(item) ? setText(item) : rangeOf(item, item)
}

function isSet(item: string): boolean {
  return /^\\[dDwWsS]$/.test(item)
}

function rangeOf(start: string, end: string): string {
  return rangeText(unitOf(start), unitOf(end))
}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, b: 8, 0: 0 }

/** The unit of UTF-16 that a character means, plain or escaped. */
function unitOf(item: string): number {
  if (!item.startsWith('\\')) return item.charCodeAt(0)
  const code = item.length > 2 ? Number.parseInt(item.slice(2), 16) : CONTROLS[item.charAt(1)]
  return code ?? item.charCodeAt(1)
}

/** A range of units inside a class, in up to three parts, since surrogates are elsewhere. */
function rangeText(low: number, high: number): string {
  const parts = [
    [low, Math.min(high, 0xd7ff)],
    [Math.max(low, 0xd800), Math.min(high, 0xdfff)],
    [Math.max(low, 0xe000), high],
  ] as const
  return parts.flatMap(([from, to]) => (from <= to ? [`${unitText(from)}-${unitText(to)}`] : [])).join('')
}

function unitText(unit: number): string {
  return hex(unit >= 0xd800 && unit <= 0xdfff ? UNIT_OFFSET + unit : unit)
}

function hex(code: number): string {
  return `\\x{${code.toString(16)}}`
}
