import { relative, resolve } from 'node:path'
import { shortHash } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'
import type { Target } from './attempt.ts'
import { hashOfFile } from './hash-of-file.ts'

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
    content += `${relative(folder, file)}\n${await hashOfFile(file, host)}\n`
  }
  return shortHash(content)
}
