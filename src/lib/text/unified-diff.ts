import { type EqualLines, equalLines } from './line-edits.ts'

/** Lines around a change that are shown. */
const CONTEXT = 3

const NO_NEWLINE = '\\ No newline at end of file'

/** Compares two texts line by line as a unified diff without file names; empty if they are equal. */
export function unifiedDiff(before: string, after: string): string {
  const a = linesOf(before)
  const b = linesOf(after)
  const hunks = hunksOf(changesBetween(equalLines(a, b), a.length, b.length))
  return hunks.map(hunk => hunkText(hunk, a, b)).join('')
}

/** Cuts a diff to a size in bytes, after a whole line. */
export function cutDiff(diff: string, most: number): string {
  const bytes = new TextEncoder().encode(diff)
  if (bytes.length <= most) return diff
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, bytes.lastIndexOf(10, most - 1) + 1))
}

/** Lines of a diff, from a line of the text before it, counted from 0. */
export interface DiffHunk {
  readonly start: number
  readonly lines: readonly { readonly mark: ' ' | '-' | '+'; readonly text: string }[]
}

/** Reads the parts of a diff; their texts have the line breaks of the compared texts. */
export function readHunks(diff: string): DiffHunk[] {
  const hunks: { start: number; lines: { mark: ' ' | '-' | '+'; text: string }[] }[] = []
  for (const line of linesOf(diff)) {
    const range = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line)
    const lines = hunks.at(-1)?.lines ?? []
    const last = lines.at(-1)
    if (range) hunks.push({ start: Number(range[1]) - (range[2] === '0' ? 0 : 1), lines: [] })
    else if (line.startsWith('\\') && last) last.text = last.text.slice(0, -1)
    else lines.push({ mark: line[0] as ' ' | '-' | '+', text: line.slice(1) })
  }
  return hunks
}

/** The lines of a text with their line breaks; the last one may have none. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Lines `a` to `a_end` of the first text that became lines `b` to `b_end` of the second. */
interface Change {
  readonly a: number
  readonly a_end: number
  readonly b: number
  readonly b_end: number
}

function changesBetween(equal: readonly EqualLines[], aLength: number, bLength: number): Change[] {
  const changes: Change[] = []
  let a = 0
  let b = 0
  for (const run of [...equal, { a: aLength, b: bLength, length: 0 }]) {
    if (run.a > a || run.b > b) changes.push({ a, a_end: run.a, b, b_end: run.b })
    a = run.a + run.length
    b = run.b + run.length
  }
  return changes
}

/** Changes whose context meets are shown together. */
type Hunk = readonly [Change, ...Change[]]

function hunksOf(changes: readonly Change[]): Hunk[] {
  const hunks: [Change, ...Change[]][] = []
  for (const change of changes) {
    const hunk = hunks.at(-1)
    if (hunk && change.a - (hunk.at(-1)?.a_end ?? 0) <= 2 * CONTEXT) hunk.push(change)
    else hunks.push([change])
  }
  return hunks
}

function hunkText(hunk: Hunk, a: readonly string[], b: readonly string[]): string {
  const [first] = hunk
  const last = hunk.at(-1) ?? first
  const before = Math.min(CONTEXT, first.a)
  const after = Math.min(CONTEXT, a.length - last.a_end)
  const from = first.a - before
  const lines: string[] = []
  let next = from
  for (const change of hunk) {
    lines.push(marked(' ', a.slice(next, change.a)))
    lines.push(marked('-', a.slice(change.a, change.a_end)), marked('+', b.slice(change.b, change.b_end)))
    next = change.a_end
  }
  lines.push(marked(' ', a.slice(next, next + after)))
  const aRange = range(from, last.a_end + after)
  const bRange = range(first.b - before, last.b_end + after)
  return `@@ -${aRange} +${bRange} @@\n${lines.join('')}`
}

function range(start: number, end: number): string {
  const count = end - start
  return `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`
}

function marked(mark: ' ' | '-' | '+', lines: readonly string[]): string {
  return lines.map(line => `${mark}${line}${line.endsWith('\n') ? '' : `\n${NO_NEWLINE}\n`}`).join('')
}
