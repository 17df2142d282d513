import { parseJson } from '../lib/json/parse-json.ts'
import { type DiffLine, lineDiff } from '../lib/text/diff.ts'

/** What a reason says about an expected value and the one that was found, as a diff. */
export interface Mismatch {
  /** `the answer differs at line 3 (only white space differs)`; undefined for fields, which their lines name. */
  readonly title: string | undefined
  readonly lines: readonly DiffLine[]
}

/**
 * Reads a reason as `textDifference` and `formatDifferences` write it. Undefined for any other reason, and for one that
 * can be read in two ways because a text in it has the words of the message.
 */
export function readMismatch(reason: string): Mismatch | undefined {
  const [first = '', legend, ...lines] = reason.split('\n')
  if (/^must not |: must not | — /.test(first)) return undefined
  return legend === undefined ? (readPart(first) ?? readList(first)) : readLines(first, legend, lines)
}

/** The lines of a diff below their legend. */
function readLines(first: string, legend: string, lines: readonly string[]): Mismatch | undefined {
  const { name, where } =
    /^(?<name>[^"]{1,80}?) differs from the expected text at (?<where>\w+ \d+): /.exec(first)?.groups ?? {}
  if (name === undefined || !/^from line \d+ \(- expected, \+ .+\):$/.test(legend)) return undefined
  const [note = ''] = / \([^()"]*\)$/.exec(first) ?? []
  return {
    title: `${name} differs at ${where}${note}`,
    lines: lines.map(line => ({ mark: markOf(line), text: line.slice(line.startsWith('…') ? 0 : 2) })),
  }
}

function markOf([mark = ' ']: string): DiffLine['mark'] {
  return mark === '-' || mark === '+' ? mark : ' '
}

/** `the state differs: a is 1, expected 2; b is missing, expected 3; and 4 more differences`. */
function readList(text: string): Mismatch | undefined {
  const [, title, list = text] = /^([^";]{0,80}\bdiffers): (.*)$/.exec(text) ?? []
  const parts = list.split('; ').map(part => readPart(part) ?? readRest(part))
  const lines = parts.flatMap(part => part?.lines ?? [])
  return parts.every(part => part && part.title === undefined) ? { title, lines } : undefined
}

function readRest(text: string): Mismatch | undefined {
  const isRest = /^and \d+ more differences?$/.test(text)
  return isRest ? { title: undefined, lines: [{ mark: ' ', text: text.replace('and', '…') }] } : undefined
}

const PART =
  /^(?<name>[^"]{1,80}?) (?:is|differs from the expected text at (?<where>\w+ \d+):) (?:(?<surplus>.+), not expected|(?<found>.+), expected (?<wanted>.+?))(?<note> \([^()"]*\))?$/

/** `NAME is FOUND, expected WANTED (NOTE)`, where each value is quoted or JSON. */
function readPart(text: string): Mismatch | undefined {
  const { name, where, surplus, found = surplus, wanted, note = '' } = PART.exec(text)?.groups ?? {}
  if (name === undefined || found === undefined || text.split(', expected ').length > 2) return undefined
  if (!isValue(found, ABSENT) || (wanted !== undefined && !isValue(wanted))) return undefined
  const isAbsent = ABSENT.includes(found)
  // A path has no spaces; what has a name in words is a text.
  if (!name.includes(' '))
    return { title: undefined, lines: fieldLines(name, wanted, isAbsent ? undefined : found, note) }
  if (isAbsent) return { title: `${name} is ${found}${note}`, lines: textLines(wanted, '-') }
  const place = where === undefined ? '' : ` at ${where}`
  return { title: `${name} differs${place}${note}`, lines: textDiff(wanted, found) }
}

function fieldLines(path: string, wanted: string | undefined, found: string | undefined, note: string): DiffLine[] {
  return [
    ...(wanted === undefined ? [] : [{ mark: '-', text: `${path}: ${wanted}${note}` } as const]),
    ...(found === undefined ? [] : [{ mark: '+', text: `${path}: ${found}` } as const]),
  ]
}

function textDiff(wanted: string | undefined, found: string): DiffLine[] {
  if (wanted === undefined) return textLines(found, '+')
  return lineDiff(linesIn(wanted), linesIn(found))
}

function textLines(text: string | undefined, mark: DiffLine['mark']): DiffLine[] {
  return text === undefined
    ? []
    : linesIn(text)
        .split('\n')
        .map(line => ({ mark, text: line }))
}

/** A quoted text with its line breaks, which messages mark. */
function linesIn(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('↵', '\n') : value
}

/** What is written in place of a value that was not found. */
const ABSENT = ['missing', 'empty']
const IN_WORDS = ['nothing', 'a deeply nested value', 'the end of the text']

function isValue(text: string, others: readonly string[] = []): boolean {
  if (/^".*"$/s.test(text) || [...IN_WORDS, ...others].includes(text)) return true
  // Long JSON is cut.
  return parseJson(text) !== undefined || /^[[{"].*…$/s.test(text)
}
