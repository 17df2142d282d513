import { resolve } from 'node:path'
import { staticBase } from '../../lib/patterns.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { Host } from '../../model/host.ts'

/** What a host was asked about files: a change of any of it may change what was found. */
export class ObservedFiles {
  /** Files that were read. */
  readonly read = new Set<string>()
  /** Paths that were looked for. */
  readonly looked_for = new Set<string>()
  /** Folders that were searched, with all folders below them. */
  readonly searched = new Set<string>()
}

/** The same host, which notes what it is asked about files, and imports modules as they are now. */
export function observeFiles(host: Host, observed: ObservedFiles): Host {
  const { files, processes } = host
  return {
    ...host,
    files: {
      ...files,
      read(path, most) {
        observed.read.add(path)
        return files.read(path, most)
      },
      stat(path) {
        observed.looked_for.add(path)
        return files.stat(path)
      },
      findBelow(folder, isWanted) {
        observed.searched.add(folder)
        return files.findBelow(folder, isWanted)
      },
      glob(patterns, options) {
        for (const pattern of patterns) {
          const base = resolve(options.cwd, staticBase(pattern))
          observed.searched.add(base)
          // It may be a file, or not exist yet.
          observed.looked_for.add(base)
        }
        return files.glob(patterns, options)
      },
    },
    processes: {
      ...processes,
      async importModule(path) {
        observed.read.add(path)
        // Node keeps a module that it has imported: an edited one is another version.
        return processes.importModule(path, sha256(await files.read(path)))
      },
    },
  }
}
