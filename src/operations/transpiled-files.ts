import { basename, dirname, join, relative, sep } from 'node:path'
import { isBelow } from '../lib/paths.ts'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import type { Leftovers, TranspiledFile, TranspileResult } from '../transpile/transpiled-file.ts'
import { displayPath } from './display-path.ts'

/** What is on disk in place of a file: nothing, the same, another one of ours, or a file of others. */
export type FileState = 'none' | 'same' | 'ours' | 'other' | 'no file'

export type StatedFile = TranspiledFile & { readonly state: FileState }

/** The files with what is on disk in their place, and files that an earlier version of the suite had. */
export interface FolderState {
  readonly files: readonly StatedFile[]
  /** Paths in the folder, with `/`. */
  readonly leftovers: readonly string[]
}

export async function stateFiles(
  { files, leftovers }: TranspileResult,
  folder: string,
  host: Host,
): Promise<FolderState> {
  const states = await Promise.all(files.map(async file => ({ ...file, ...(await stateOf(file, folder, host)) })))
  const own = new Set(files.map(({ file }) => file))
  return {
    files: withCompanions(states),
    leftovers: leftovers ? await findLeftovers(leftovers, own, folder, host) : [],
  }
}

/** A file whose text does not tell is ours where the file beside it is. */
function withCompanions(states: readonly StatedFile[]): StatedFile[] {
  const ours = new Set(states.filter(({ state }) => state === 'same' || state === 'ours').map(({ file }) => file))
  return states.map(file =>
    file.state === 'ours' && file.beside !== undefined && !ours.has(file.beside)
      ? { ...file, state: 'other' as const }
      : file,
  )
}

async function stateOf(file: TranspiledFile, folder: string, host: Host): Promise<{ state: FileState }> {
  const path = join(folder, file.file)
  const stat = await host.files.stat(path).catch(error => cannot(path, error, host))
  if (!stat) return { state: 'none' }
  if (stat.kind !== 'file') return { state: 'no file' }
  const text = await textOf(path, host)
  return { state: text === file.content ? 'same' : file.isEarlier(text) ? 'ours' : 'other' }
}

async function textOf(path: string, host: Host): Promise<string> {
  const bytes = await host.files.read(path).catch(error => cannot(path, error, host))
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

const MARKED = /\.(?:md|yaml|sh)$/

/** Finds files of the same suite that it no longer makes. */
async function findLeftovers(
  { isOurs, companions }: Leftovers,
  own: ReadonlySet<string>,
  folder: string,
  host: Host,
): Promise<readonly string[]> {
  if ((await host.files.stat(folder).catch(() => undefined))?.kind !== 'folder') return []
  const { files } = await host.files.findBelow(folder, name => MARKED.test(name) || companions.includes(name))
  const others = files.filter(path => !own.has(inFolder(path, folder)))
  const marked: string[] = []
  for (const path of others) {
    if (MARKED.test(path) && isOurs(await textOf(path, host))) marked.push(path)
  }
  const folders = new Set(marked.map(path => dirname(path)))
  const beside = others.filter(path => companions.includes(basename(path)) && folders.has(dirname(path)))
  return [...marked, ...beside].map(path => inFolder(path, folder)).sort()
}

function inFolder(path: string, folder: string): string {
  return relative(folder, path).split(sep).join('/')
}

/** Writes all files and removes what is left over, or does neither where a file must not be overwritten. */
export async function writeFiles(state: FolderState, folder: string, force: boolean, host: Host): Promise<void> {
  const { files, leftovers } = state
  requireOwn(files, folder, force, host)
  const stat = await host.files.stat(folder).catch(error => cannot(folder, error, host))
  if (stat && stat.kind !== 'folder') throw new UserError(`${displayPath(folder, host)} is a file, not a folder.`)
  for (const { file, content, state } of files) {
    const path = join(folder, file)
    if (state !== 'same') await host.files.write(path, content).catch(error => cannot(path, error, host))
  }
  for (const file of leftovers) await removeFile(join(folder, file), folder, host)
}

function requireOwn(files: readonly StatedFile[], folder: string, force: boolean, host: Host): void {
  const namesOf = (wanted: FileState) =>
    files.flatMap(({ file, state }) => (state === wanted ? [displayPath(join(folder, file), host)] : [])).join(', ')
  if (namesOf('no file') !== '')
    throw new UserError(`${namesOf('no file')} is not a regular file. Nothing was written.`)
  if (namesOf('other') !== '' && !force)
    throw new UserError(
      `${namesOf('other')} was not written by assay. Nothing was written; use --force to overwrite it.`,
    )
}

/** Removes a file, and the folders above it that are empty then. */
async function removeFile(path: string, folder: string, host: Host): Promise<void> {
  await host.files.remove(path).catch(error => cannot(path, error, host))
  for (let above = dirname(path); above !== folder && isBelow(above, folder); above = dirname(above)) {
    const names = await host.files.listNames(above).catch(() => ['unknown'])
    if (names.length > 0) return
    await host.files.remove(above).catch(error => cannot(above, error, host))
  }
}

function cannot(path: string, error: Error, host: Host): never {
  throw new UserError(`Cannot write ${displayPath(path, host)}: ${error.message}`)
}
