import { printable } from '../lib/text/escape.ts'
import type { LineIndex } from '../lib/text/line-index.ts'
import { displayWidth } from '../lib/text/unicode.ts'

/** The lines around a location, ready to print, with the position of the caret. */
export interface CodeFrame {
  readonly lines: readonly { readonly number: number; readonly text: string }[]
  /** The terminal columns before the caret, and its width. */
  readonly caret: { readonly indent: number; readonly width: number }
}

const CONTEXT = 1
const WIDEST = 100

/** Returns the frame of a location. Cuts long lines around it, and makes control characters visible. */
export function codeFrame(index: LineIndex, line: number, column: number, length: number): CodeFrame {
  const target = index.line(line)
  const from = wholeCharacter(target, Math.max(0, Math.min(column - 1 - WIDEST / 2, target.length - WIDEST)))
  const lines = []
  for (let number = Math.max(1, line - CONTEXT); number <= line; number++) {
    lines.push({ number, text: window(index.line(number), number === line ? from : 0) })
  }
  const before = window(target.slice(0, column - 1), from)
  const marked = show(target.slice(column - 1, Math.min(column - 1 + length, from + WIDEST)))
  return { lines, caret: { indent: displayWidth(before), width: Math.max(1, displayWidth(marked)) } }
}

function window(text: string, from: number): string {
  const cut = text.slice(from, wholeCharacter(text, from + WIDEST))
  return show(`${from > 0 ? '…' : ''}${cut}${from + WIDEST < text.length ? '…' : ''}`)
}

/** Moves an offset out of a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset)
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset
}

function show(text: string): string {
  return printable(text.replaceAll('\t', '  '))
}
