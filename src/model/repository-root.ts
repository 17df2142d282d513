import { dirname, join } from 'node:path'
import type { Host, HostFiles } from './host.ts'

/** What marks the root of a repository; a marker of the first kind wins over nearer ones of the second. */
const MARKERS = [['.git'], ['.assay', '.agentv', 'package.json']]

/** The parts of a host that finding the root uses. */
type RootSearch = Pick<Host, 'cwd'> & { readonly files: Pick<HostFiles, 'stat'> }

/** The nearest folder upwards with `.git`; without one, with `.assay`, `.agentv` or `package.json`; else the current folder. */
export async function findRepositoryRoot(folder: string, host: RootSearch): Promise<string> {
  for (const markers of MARKERS) {
    for (const ancestor of ancestors(folder)) {
      const found = await Promise.all(
        markers.map(marker => host.files.stat(join(ancestor, marker)).catch(() => undefined)),
      )
      if (found.some(Boolean)) return ancestor
    }
  }
  return host.cwd
}

/** The folders in which settings of a folder may lie: itself and those above it, up to the root; itself where that is elsewhere. */
export function foldersUpTo(root: string, folder: string): string[] {
  const above = ancestors(folder)
  return above.slice(0, Math.max(1, above.indexOf(root) + 1))
}

/** `folder` and every folder above it. */
function ancestors(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}
