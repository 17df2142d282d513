import { basename, dirname, join, posix, relative, resolve, win32 } from 'node:path'
import { isBelow } from '../../../lib/paths.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import type { FileStat } from '../../../model/host-files.ts'

/** A failed tool call. Its message is for the model. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}

/** A file or folder inside the root folder. */
export interface FolderItem {
  /** Absolute real path. */
  readonly path: string
  /** Path relative to the root folder. */
  readonly name: string
  readonly stat: FileStat
}

/** Resolves a path inside a folder. Rejects paths that lead outside of it, also through links. */
export async function resolveInside(folder: string, path: string, host: Host): Promise<FolderItem> {
  const root = await resolveRoot(folder, host)
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) {
    throw new ToolError(`${quoteCode(path)} is absolute: paths are relative to the folder`)
  }
  const wanted = resolve(root, path)
  if (!isBelow(wanted, root)) throw new ToolError(`${quoteCode(path)} is outside the folder`)
  // No file name contains NUL.
  const real = path.includes('\0')
    ? undefined
    : await host.files.realPath(wanted).catch(error => throwToolError(path, error))
  if (real !== undefined && !isBelow(real, root)) {
    throw new ToolError(`${quoteCode(path)} is a link to outside the folder`)
  }
  const stat = real === undefined ? undefined : await host.files.stat(real).catch(error => throwToolError(path, error))
  if (real === undefined || !stat) throw new ToolError(`${quoteCode(path)} was not found in the folder`)
  return { path: real, name: relative(root, real), stat }
}

/** Resolves a link inside a folder. */
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

/** Resolves the links above the folder. A folder that is itself a link has been replaced and is rejected. */
async function resolveRoot(folder: string, host: Host): Promise<string> {
  const [real, above] = await Promise.all([host.files.realPath(folder), host.files.realPath(dirname(folder))])
  if (real === undefined || above === undefined || real !== join(above, basename(folder))) {
    throw new ToolError('the folder no longer exists')
  }
  return real
}

/** Reports an operating system error by its code only: its message contains absolute paths. */
export function throwToolError(path: string, error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error
  throw new ToolError(`cannot open ${quoteCode(path)}: ${error.code}`)
}
