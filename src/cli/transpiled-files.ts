import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { isGenerated, type TranspiledFile } from '../transpile/transpile.ts'
import { shownPath } from './terminal/terminal.ts'

/** What is there already: nothing, the same, another one of ours, or what somebody else has written. */
export type FileState = 'none' | 'same' | 'ours' | 'other' | 'no file'

export type StatedFile = TranspiledFile & { readonly state: FileState }

export async function stateOf(file: TranspiledFile, folder: string, host: Host): Promise<{ state: FileState }> {
  const path = join(folder, file.file)
  const stat = await host.files.stat(path).catch(error => cannot(path, error))
  if (!stat) return { state: 'none' }
  if (stat.kind !== 'file') return { state: 'no file' }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    await host.files.read(path).catch(error => cannot(path, error)),
  )
  return { state: text === file.content ? 'same' : isGenerated(text, file) ? 'ours' : 'other' }
}

/** Writes all of them, or none where one may not be written. */
export async function writeFiles(
  files: readonly StatedFile[],
  folder: string,
  force: boolean,
  host: Host,
): Promise<void> {
  const namesOf = (wanted: FileState) =>
    files.flatMap(({ file, state }) => (state === wanted ? [shownPath(join(folder, file))] : [])).join(', ')
  if (namesOf('no file') !== '') throw new UserError(`${namesOf('no file')} is no file. Nothing was written.`)
  if (namesOf('other') !== '' && !force)
    throw new UserError(`${namesOf('other')}: there is another file. Nothing was written; --force writes over it.`)
  const stat = await host.files.stat(folder).catch(error => cannot(folder, error))
  if (stat && stat.kind !== 'folder') throw new UserError(`${shownPath(folder)} is a file, and no folder.`)
  for (const { file, content, state } of files) {
    const path = join(folder, file)
    if (state !== 'same') await host.files.write(path, content).catch(error => cannot(path, error))
  }
}

function cannot(path: string, error: Error): never {
  throw new UserError(`Cannot write ${shownPath(path)}: ${error.message}`)
}
