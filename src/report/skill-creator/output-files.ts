import { join } from 'node:path'
import { isSafePath } from '../../lib/paths.ts'
import { type FileChange, textAfter } from '../../model/changes.ts'
import type { Result } from '../../model/result.ts'
import type { KeptFiles, ReportFile } from '../reporter.ts'

/** A changed file whose content is not in the report. */
export interface MissingOutput {
  readonly path: string
  readonly reason: string
}

/** The files that an agent left, and those whose content is not available. */
export interface OutputFiles {
  readonly files: readonly ReportFile[]
  readonly missing: readonly MissingOutput[]
  /** Characters of the texts among them. */
  readonly characters: number
}

/** Returns the created and modified files of an attempt below `outputs`, and the answer beside them. */
export function outputFiles(result: Result, kept: KeptFiles | undefined): OutputFiles {
  const files: ReportFile[] = []
  const missing: MissingOutput[] = []
  let characters = (result.answer ?? '').length
  for (const change of (result.changes ?? []).filter(({ state }) => state !== 'deleted')) {
    const found = contentOf(change, result, kept)
    if (typeof found === 'string') missing.push({ path: change.path, reason: found })
    else files.push({ path: `outputs/${change.path}`, ...found })
    if (typeof found === 'object' && !found.copy) characters += [...found.text].join('').length
  }
  const taken = new Set(files.map(({ path = '' }) => path.toLowerCase()))
  return {
    files: [{ path: freeName('answer', '.md', taken), text: [result.answer ?? ''] }, ...files],
    missing,
    characters,
  }
}

/** The content of a file, or why it is not available. */
function contentOf(
  change: FileChange,
  { attempt_id, workspace_path }: Result,
  kept: KeptFiles | undefined,
): Omit<ReportFile, 'path'> | string {
  const { path, after } = change
  if (!isSafePath(path)) return 'the path may lead out of the folder'
  if (after?.link !== undefined) return `a link to ${after.link}`
  if (workspace_path !== undefined && after?.hash !== undefined && kept?.get(attempt_id)?.has(path))
    return { text: [], copy: { from: join(workspace_path, path), hash: after.hash } }
  const text = textAfter(change)
  return text === undefined ? 'the workspace is gone, and the record does not have the content' : { text: [text] }
}

/** The agent may have written a file with the same name. */
function freeName(name: string, extension: string, taken: ReadonlySet<string>): string {
  let free = `outputs/${name}${extension}`
  for (let number = 2; taken.has(free); number++) free = `outputs/${name}-${number}${extension}`
  return free
}
