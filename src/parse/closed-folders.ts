import { posix, relative, resolve, sep } from 'node:path'
import { couldMatchBelow } from '../lib/glob.ts'
import { isGlob } from '../lib/is-glob.ts'
import type { Host } from '../model/host.ts'

/** The folders that cannot be looked into, though files in them could match a glob. */
export async function closedFolders(glob: string, cwd: string, host: Host): Promise<readonly string[]> {
  const names = posix.normalize(glob).split('/')
  const first = names.findIndex(isGlob)
  if (first < 0) return []
  const start = resolve(cwd, names.slice(0, first).join('/') || (glob.startsWith('/') ? '/' : '.'))
  if ((await host.files.stat(start).catch(() => undefined))?.kind !== 'folder') return []
  const rest = names.slice(first).join('/')
  // Globs with other signs could match anywhere.
  const isSimple = !/[[\]{}()!\\]/.test(rest)
  const { closed } = await host.files.findBelow(start, () => false)
  return closed.filter(folder => !isSimple || couldMatchBelow(rest, relative(start, folder).replaceAll(sep, '/')))
}
