import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { isGenerated, type TranspiledFile } from '../transpile/transpile.ts'
import { displayPath } from './display-path.ts'

/** What is on disk in place of a file: nothing, the same, another one of ours, or a file of others. */
export type FileState = 'none' | 'same' | 'ours' | 'other' | 'no file'

export type StatedFile = TranspiledFile & { readonly state: FileState }

/** The files with what is on disk in their place. */
export async function stateFiles(files: readonly TranspiledFile[], folder: string, host: Host): Promise<StatedFile[]> {
  return withOwnSets(await Promise.all(files.map(async file => ({ ...file, ...(await stateOf(file, folder, host)) }))))
}

/** A trigger set does not name its skill: it is ours where the evals of that skill beside it are. */
function withOwnSets(states: readonly StatedFile[]): StatedFile[] {
  const known = new Set(
    states.flatMap(({ content, state, skill }) =>
      content.startsWith('{') && (state === 'same' || state === 'ours') ? [skill] : [],
    ),
  )
  return states.map(file =>
    file.state === 'ours' && !known.has(file.skill) ? { ...file, state: 'other' as const } : file,
  )
}

export async function stateOf(file: TranspiledFile, folder: string, host: Host): Promise<{ state: FileState }> {
  const path = join(folder, file.file)
  const stat = await host.files.stat(path).catch(error => cannot(path, error, host))
  if (!stat) return { state: 'none' }
  if (stat.kind !== 'file') return { state: 'no file' }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    await host.files.read(path).catch(error => cannot(path, error, host)),
  )
  return { state: text === file.content ? 'same' : isGenerated(text, file) ? 'ours' : 'other' }
}

/** Writes all files, or none where one must not be overwritten. */
export async function writeFiles(
  files: readonly StatedFile[],
  folder: string,
  force: boolean,
  host: Host,
): Promise<void> {
  const namesOf = (wanted: FileState) =>
    files.flatMap(({ file, state }) => (state === wanted ? [displayPath(join(folder, file), host)] : [])).join(', ')
  if (namesOf('no file') !== '')
    throw new UserError(`${namesOf('no file')} is not a regular file. Nothing was written.`)
  if (namesOf('other') !== '' && !force)
    throw new UserError(
      `${namesOf('other')} was not written by assay. Nothing was written; use --force to overwrite it.`,
    )
  const stat = await host.files.stat(folder).catch(error => cannot(folder, error, host))
  if (stat && stat.kind !== 'folder') throw new UserError(`${displayPath(folder, host)} is a file, not a folder.`)
  for (const { file, content, state } of files) {
    const path = join(folder, file)
    if (state !== 'same') await host.files.write(path, content).catch(error => cannot(path, error, host))
  }
}

function cannot(path: string, error: Error, host: Host): never {
  throw new UserError(`Cannot write ${displayPath(path, host)}: ${error.message}`)
}
