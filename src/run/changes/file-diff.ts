import { cutDiff, unifiedDiff } from '../../lib/text/unified-diff.ts'
import { type FileChange, LARGEST_DIFF_BYTES } from '../../model/changes.ts'

/** The content of a file before or after. */
export interface DiffPart {
  /** Undefined if the file is too large. */
  readonly bytes?: Uint8Array | undefined
  readonly isLink?: true
  readonly isUnreadable?: true
}

/** The diff of a file, with at most `left` bytes, or why it is missing. A link has no text. */
export function diffOf(before: DiffPart, after: DiffPart, left: number): Pick<FileChange, 'diff' | 'diff_cut'> {
  if (after.isLink || (before.isLink && after.bytes === EMPTY)) return {}
  if (before.isUnreadable || after.isUnreadable) return { diff_cut: 'unreadable' }
  if (left <= 0) return { diff_cut: 'attempt' }
  const texts = [before.isLink ? EMPTY : before.bytes, after.bytes]
  if (texts.includes(undefined)) return { diff_cut: 'file' }
  const [a, b] = texts.map(bytes => textOf(bytes ?? EMPTY))
  if (a === undefined || b === undefined) return { diff_cut: 'binary' }
  return withinLimits(unifiedDiff(a, b), left)
}

/** The content of a path without a file. */
export const EMPTY = new Uint8Array()

function withinLimits(diff: string, left: number): Pick<FileChange, 'diff' | 'diff_cut'> {
  const inFile = cutDiff(diff, LARGEST_DIFF_BYTES)
  const inAttempt = cutDiff(inFile, left)
  if (inAttempt !== inFile) return { ...shown(inAttempt), diff_cut: 'attempt' }
  return inFile === diff ? { diff } : { ...shown(inFile), diff_cut: 'file' }
}

function shown(diff: string): Pick<FileChange, 'diff'> {
  return diff === '' ? {} : { diff }
}

/** The text of a file; undefined if it is not UTF-8 or has NUL characters. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
