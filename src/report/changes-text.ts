import { printableLine } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { truncate } from '../lib/text/quote.ts'
import type { FileChange } from '../model/changes.ts'
import type { Result } from '../model/result.ts'

/** Files that are named in one line, and the longest path in it. */
const MAX_FILES = 5
const LONGEST_PATH = 100

/** `3 files changed: src/a.ts (modified), b.ts (created), c.ts (deleted)`; empty without a workspace. */
export function changesLine({ changes }: Pick<Result, 'changes'>): string[] {
  if (!changes) return []
  if (changes.length === 0) return ['no files changed']
  const files = changes
    .slice(0, MAX_FILES)
    .map(({ path, state }) => `${truncate(printableLine(path), LONGEST_PATH)} (${state})`)
  const more = changes.length - files.length
  return [`${plural(changes.length, 'file')} changed: ${files.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
}

/** What a report says where a diff is missing or incomplete. */
const CUTS: Readonly<Record<NonNullable<FileChange['diff_cut']>, string>> = {
  binary: 'the content is not text',
  file: 'the diff of this file is larger than 64 KB',
  attempt: 'the diffs of this attempt are larger than 512 KB',
  unreadable: 'the content before or after could not be read',
}

/** Notes on a change: where a link leads, and why the diff is missing or incomplete. */
export function changeNotes({ before, after, diff, diff_cut }: FileChange): string[] {
  const link = (name: string, path: string | undefined) =>
    path === undefined ? [] : [`${name}: symbolic link to ${printableLine(path)}`]
  const cut = diff_cut && `${diff === undefined ? 'no diff' : 'the diff is incomplete'}: ${CUTS[diff_cut]}`
  return [...link('before', before?.link), ...link('after', after?.link), ...(cut === undefined ? [] : [cut])]
}
