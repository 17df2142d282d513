import { join, relative, resolve } from 'node:path'
import type { ImportNotes } from '../../import/import-notes.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import type { TranspiledFile } from '../../transpile/transpiled-file.ts'
import { displayPath } from '../display-path.ts'
import { type FolderState, stateFiles, writeFiles } from '../transpiled-files.ts'
import { lossReport, REPORT_HEADING } from './loss-report.ts'

/** The files to write, by their folder. */
type Groups = ReadonlyMap<string, readonly TranspiledFile[]>

const REPORT = 'import-report.md'

/** Adds a file with every loss, where suites are written and something is lost. */
export function withLossReport(
  groups: Groups,
  folder: string,
  { notes, tests }: ImportNotes,
  host: Host,
): { readonly groups: Groups; readonly report: string | undefined } {
  if (groups.size === 0 || notes.length === 0) return { groups, report: undefined }
  const into = resolve(host.cwd, folder)
  const content = lossReport(notes, tests, file => relative(into, file))
  const file = { file: REPORT, content, isEarlier: (text: string) => text.startsWith(REPORT_HEADING) }
  return {
    groups: new Map([...groups, [into, [...(groups.get(into) ?? []), file]]]),
    report: join(into, REPORT),
  }
}

interface WriteOptions {
  readonly isWritten: boolean
  readonly force: boolean
}

/** Writes files, if they are to be written. Returns their absolute paths, and whether each was or would be. */
export async function writeGroups(
  groups: Groups,
  { isWritten, force }: WriteOptions,
  host: Host,
): Promise<{ path: string; isNew: boolean }[]> {
  const states: [string, FolderState][] = []
  for (const [into, made] of groups) states.push([into, await stateFiles({ files: made, issues: [] }, into, host)])
  if (isWritten) requireFree(states, force, host)
  const files: { path: string; isNew: boolean }[] = []
  for (const [into, state] of states) {
    if (isWritten) await writeFiles(state, into, force, host)
    files.push(...state.files.map(({ file, state }) => ({ path: join(into, file), isNew: state !== 'same' })))
  }
  return files
}

/** Throws before anything is written if a file of the user is in the way. */
function requireFree(states: readonly [string, FolderState][], force: boolean, host: Host): void {
  const taken = states.flatMap(([folder, { files }]) =>
    files.flatMap(({ file, state }) => (state === 'other' || state === 'no file' ? [join(folder, file)] : [])),
  )
  if (taken.length === 0 || force) return
  const names = taken.slice(0, 3).map(path => displayPath(path, host))
  const more = taken.length > names.length ? ` and ${taken.length - names.length} more` : ''
  throw new UserError(
    `${names.join(', ')}${more} already exist${taken.length === 1 ? 's' : ''}. Nothing was written.`,
    'Use --force to overwrite, or write to another folder with -o.',
  )
}
