import { constants, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isBelow } from '../lib/is-below.ts'

/** Copies a folder: these files of it, or everything but `.git`. What the copy shares with nothing else may be changed in it. */
export async function copyFolder(from: string, to: string, files?: readonly string[]): Promise<void> {
  const root = await realpath(from)
  await mkdir(to, { recursive: true })
  if (!files) return copyAll(root, to, [root])
  for (const file of files) await copyEntry(join(root, file), join(to, file), [root])
}

/** Copies a file, or what a link leads to, with the folders that it needs. */
export async function copyFileTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await copyFile(from, to, constants.COPYFILE_FICLONE)
}

/** The folder that is copied, and before it those from which links have led to it. */
type Roots = readonly [string, ...string[]]

async function copyAll(from: string, to: string, roots: Roots): Promise<void> {
  const entries: Dirent[] = await readdir(from, { withFileTypes: true })
  for (const { name } of entries) {
    if (name !== '.git') await copyEntry(join(from, name), join(to, name), roots)
  }
}

async function copyEntry(from: string, to: string, roots: Roots): Promise<void> {
  // What is gone meanwhile, as a file that git still knows, is not copied.
  const entry = await lstat(from).catch(() => undefined)
  if (!entry) return
  await mkdir(dirname(to), { recursive: true })
  if (entry.isSymbolicLink()) return copyLink(from, to, roots)
  if (entry.isDirectory()) return copyInto(from, to, roots)
  if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE)
}

async function copyInto(from: string, to: string, roots: Roots): Promise<void> {
  await mkdir(to, { recursive: true })
  await copyAll(from, to, roots)
}

/** A link within the folder stays one, in the copy; one that leads out of it becomes what it leads to. */
async function copyLink(from: string, to: string, roots: Roots): Promise<void> {
  const target = await realpath(from).catch(() => undefined)
  if (target === undefined) return symlink(await readlink(from), to)
  if (isBelow(target, roots[0])) return symlink(relative(await realpath(dirname(from)), target) || '.', to)
  // A link to what contains the folder would copy it, with itself, without end.
  if (roots.some(root => isBelow(root, target))) return
  const kind = await stat(target)
  if (kind.isDirectory()) await copyInto(target, to, [target, ...roots])
  else if (kind.isFile()) await copyFile(target, to, constants.COPYFILE_FICLONE)
}
