import { relative, resolve } from 'node:path'
import { sha256, shortHash } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import type { Target } from './attempt.ts'

/** Hashes of what is in the folders that belong to targets; nothing for those that have none. */
export type TargetContents = ReadonlyMap<Target, string>

export async function targetContents(targets: Iterable<Target>, host: Host): Promise<TargetContents> {
  const contents = new Map<Target, string>()
  for (const target of targets) {
    const folders = target.provider.folders?.(target.config) ?? []
    if (folders.length === 0) continue
    const hashes: string[] = []
    for (const folder of folders) hashes.push(await hashOf(resolve(target.home, folder), host))
    contents.set(target, shortHash(hashes.join(' ')))
  }
  return contents
}

async function hashOf(folder: string, host: Host): Promise<string> {
  const { files } = await host.filesBelow(folder, () => true)
  let content = ''
  for (const file of files) {
    const hash = await host.readBytes(file).then(sha256, () => 'unreadable')
    content += `${relative(folder, file)}\n${hash}\n`
  }
  return shortHash(content)
}
