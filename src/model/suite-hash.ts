import { sha256 } from '../lib/sha256.ts'
import type { Host } from './host.ts'

/** Hashes a suite: its file, or the names and contents of the files in its folder, without results of earlier runs. */
export async function hashSuite(file: string, { files }: Host): Promise<string> {
  const stat = await files.stat(file)
  if (stat?.kind !== 'folder') return sha256(await files.read(file))
  const tree = await files.readTree(file)
  const parts: string[] = [...tree.links].map(([path, target]) => `${path} -> ${target}`)
  for (const path of tree.files.keys()) {
    if (!path.startsWith('results/')) parts.push(`${path} ${(await tree.read(path, 0))?.hash ?? 'unreadable'}`)
  }
  return sha256(parts.sort().join('\n'))
}
