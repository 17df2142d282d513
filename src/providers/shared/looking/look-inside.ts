import { basename, dirname, join, posix, relative, resolve, win32 } from 'node:path'
import { isBelow } from '../../../lib/is-below.ts'
import { shown } from '../../../lib/shown.ts'
import type { FileStat, Host } from '../../../model/host.ts'

/** What a model is told instead of what it wanted to see. */
export class CannotLook extends Error {
  override readonly name = 'CannotLook'
}

/** Something inside the folder. */
export interface Found {
  /** Absolute, without links in it. */
  readonly path: string
  /** From the folder on. */
  readonly name: string
  readonly stat: FileStat
}

/** What a path names inside of a folder. What lies outside of it, also behind links, is not looked at. */
export async function findInside(folder: string, path: string, host: Host): Promise<Found> {
  const root = await rootOf(folder, host)
  if (posix.isAbsolute(path) || win32.isAbsolute(path)) {
    throw new CannotLook(`${shown(path)} is absolute: paths are relative to the folder`)
  }
  const wanted = resolve(root, path)
  if (!isBelow(wanted, root)) throw new CannotLook(`${shown(path)} leads out of the folder`)
  // No name has such a character.
  const real = path.includes('\0') ? undefined : await host.files.realPath(wanted).catch(error => cannot(path, error))
  if (real !== undefined && !isBelow(real, root)) {
    throw new CannotLook(`${shown(path)} is a link that leads out of the folder`)
  }
  const stat = real === undefined ? undefined : await host.files.stat(real).catch(error => cannot(path, error))
  if (real === undefined || !stat) throw new CannotLook(`there is no ${shown(path)} in the folder`)
  return { path: real, name: relative(root, real), stat }
}

/** What a link in the folder leads to. */
export async function linkTarget(folder: string, path: string, host: Host): Promise<Found | 'outside' | 'nowhere'> {
  const root = await rootOf(folder, host)
  const real = await host.files.realPath(path).catch(() => undefined)
  if (real !== undefined && !isBelow(real, root)) return 'outside'
  const stat = real === undefined ? undefined : await host.files.stat(real).catch(() => undefined)
  return real === undefined || !stat ? 'nowhere' : { path: real, name: relative(root, real), stat }
}

/** The folder without links above it. What is a link itself was put in its place by somebody. */
async function rootOf(folder: string, host: Host): Promise<string> {
  const [real, above] = await Promise.all([host.files.realPath(folder), host.files.realPath(dirname(folder))])
  if (real === undefined || above === undefined || real !== join(above, basename(folder))) {
    throw new CannotLook('the folder is not there any more')
  }
  return real
}

/** What the system does not let us see, in its own short word: its sentences name places of this machine. */
export function cannot(path: string, error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error
  throw new CannotLook(`${shown(path)} cannot be looked at: ${error.code}`)
}
