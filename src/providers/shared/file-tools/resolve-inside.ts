import { basename, dirname, join, posix, relative, resolve, win32 } from 'node:path'
import { isBelow } from '../../../lib/paths.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { FileStat, Host } from '../../../model/host.ts'

/** What a model is told instead of what it wanted to see. */
export class ToolError extends Error {
  override readonly name = 'CannotLook'
}

/** Something inside the folder. */
export interface FolderItem {
  /** Absolute, without links in it. */
  readonly path: string
  /** From the folder on. */
  readonly name: string
  readonly stat: FileStat
}

/** What a path names inside of a folder. What lies outside of it, also behind links, is not looked at. */
export async function resolveInside(folder: string, path: string, host: Host): Promise<FolderItem> {
  const root = await resolveRoot(folder, host)
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) {
    throw new ToolError(`${quoteCode(path)} is absolute: paths are relative to the folder`)
  }
  const wanted = resolve(root, path)
  if (!isBelow(wanted, root)) throw new ToolError(`${quoteCode(path)} leads out of the folder`)
  // No name has such a character.
  const real = path.includes('\0')
    ? undefined
    : await host.files.realPath(wanted).catch(error => throwToolError(path, error))
  if (real !== undefined && !isBelow(real, root)) {
    throw new ToolError(`${quoteCode(path)} is a link that leads out of the folder`)
  }
  const stat = real === undefined ? undefined : await host.files.stat(real).catch(error => throwToolError(path, error))
  if (real === undefined || !stat) throw new ToolError(`there is no ${quoteCode(path)} in the folder`)
  return { path: real, name: relative(root, real), stat }
}

/** What a link in the folder leads to. */
export async function resolveLink(
  folder: string,
  path: string,
  host: Host,
): Promise<FolderItem | 'outside' | 'nowhere'> {
  const root = await resolveRoot(folder, host)
  const real = await host.files.realPath(path).catch(() => undefined)
  if (real !== undefined && !isBelow(real, root)) return 'outside'
  const stat = real === undefined ? undefined : await host.files.stat(real).catch(() => undefined)
  return real === undefined || !stat ? 'nowhere' : { path: real, name: relative(root, real), stat }
}

/** The folder without links above it. What is a link itself was put in its place by somebody. */
async function resolveRoot(folder: string, host: Host): Promise<string> {
  const [real, above] = await Promise.all([host.files.realPath(folder), host.files.realPath(dirname(folder))])
  if (real === undefined || above === undefined || real !== join(above, basename(folder))) {
    throw new ToolError('the folder is not there any more')
  }
  return real
}

/** What the system does not let us see, in its own short word: its sentences name places of this machine. */
export function throwToolError(path: string, error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error
  throw new ToolError(`${quoteCode(path)} cannot be looked at: ${error.code}`)
}
