import { shortHash } from '../lib/sha256.ts'
import type { FolderTree } from './host-files.ts'

/** A hash that changes with every write to a file of the tree, and with every file that appears or disappears. */
export function treeHash({ files, links }: Pick<FolderTree, 'files' | 'links'>): string {
  const lines = [
    ...[...files].map(([path, { size, changed_ms }]) => JSON.stringify([path, size, changed_ms])),
    ...[...links].map(([path, link]) => JSON.stringify([path, link])),
  ]
  return shortHash(lines.sort().join('\n'))
}
