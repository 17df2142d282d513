import { dirname, join } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Host } from '../../model/host.ts'
import type { FolderEntry } from '../../model/host-files.ts'
import type { LoadContext } from '../suite/load-context.ts'

/** The files that make a folder a case. */
export const CASE_FILES = ['prompt.md', 'case.yaml']

/** Folders beside the cases that contain none. */
const OTHER_FOLDERS = ['mocks', 'results']

/** The files of a case. */
export interface CaseFolder {
  readonly folder: string
  readonly prompt_file: string | undefined
  readonly case_file: string | undefined
}

/** Finds the cases of an evals folder, sorted by path. Other folders only group them; a case contains no other case. */
export async function findCases(evals: string, context: LoadContext): Promise<readonly CaseFolder[]> {
  const cases: CaseFolder[] = []
  const seen = new Set<string>()
  const open = [evals]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await entriesOf(folder, seen, context)
    const found = caseIn(folder, entries)
    if (found && folder !== evals) cases.push(found)
    else {
      if (found) reportRootCase(found, context)
      const names = entries.filter(({ name }) => folder !== evals || !OTHER_FOLDERS.includes(name))
      open.push(...(await foldersAmong(names, folder, context.files.host)))
    }
  }
  return cases.sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** Returns the visible entries of a folder, unless links lead to it a second time. */
async function entriesOf(folder: string, seen: Set<string>, context: LoadContext): Promise<readonly FolderEntry[]> {
  const { files } = context.files.host
  const real = (await files.realPath(folder).catch(() => undefined)) ?? folder
  if (seen.has(real)) {
    if (isBelow(dirname(folder), real)) reportLoop(folder, context)
    return []
  }
  seen.add(real)
  try {
    const entries = await files.listEntries(folder)
    return entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
  } catch {
    reportUnreadable(folder, 'cannot be read', 'change its permissions', context)
    return []
  }
}

function caseIn(folder: string, entries: readonly FolderEntry[]): CaseFolder | undefined {
  const [prompt_file, case_file] = CASE_FILES.map(name =>
    entries.some(entry => entry.name === name) ? join(folder, name) : undefined,
  )
  return prompt_file === undefined && case_file === undefined ? undefined : { folder, prompt_file, case_file }
}

async function foldersAmong(entries: readonly FolderEntry[], folder: string, { files }: Host): Promise<string[]> {
  const folders: string[] = []
  for (const { name, kind } of entries) {
    const path = join(folder, name)
    const isFolder =
      kind === 'link' ? (await files.stat(path).catch(() => undefined))?.kind === 'folder' : kind === 'folder'
    if (isFolder) folders.push(path)
  }
  return folders
}

function reportRootCase({ prompt_file, case_file }: CaseFolder, { diagnostics }: LoadContext): void {
  const file = prompt_file ?? case_file ?? ''
  const message = 'this file is not in a folder of its own'
  const hint = 'move the files of the case to `CASE/`, a folder named after it'
  diagnostics.add({ code: 'bad-case', at: { file, line: 1, column: 1, length: 1 }, message, hint })
}

function reportLoop(folder: string, context: LoadContext): void {
  reportUnreadable(folder, 'is a link to a folder that contains it', 'remove the link', context)
}

function reportUnreadable(folder: string, problem: string, hint: string, { diagnostics }: LoadContext): void {
  const at = { file: folder, line: 1, column: 1, length: 1 }
  diagnostics.add({ code: 'file-unreadable', at, message: `the folder ${quoteCode(folder)} ${problem}`, hint })
}
