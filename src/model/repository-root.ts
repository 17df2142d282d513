import { dirname, join } from 'node:path'
import type { Host } from './host.ts'
import type { HostFiles } from './host-files.ts'

/** Markers of the root of a repository. The first group wins over nearer markers of the second. */
const MARKERS = [['.git'], ['.assay', '.agentv', 'package.json']]

/** The parts of a host that finding the root uses. */
type RootSearch = Pick<Host, 'cwd'> & { readonly files: Pick<HostFiles, 'stat'> }

/** Finds the nearest ancestor with `.git`, else with `.assay`, `.agentv` or `package.json`, else the current folder. */
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

/** A folder and its ancestors up to the root; only the folder if it is not below the root. */
export function foldersUpTo(root: string, folder: string): string[] {
  const above = ancestors(folder)
  return above.slice(0, Math.max(1, above.indexOf(root) + 1))
}

/** A folder and all its ancestors. */
function ancestors(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}
