import { join } from 'node:path'
import { plural } from '../../../lib/plural.ts'
import { shown } from '../../../lib/shown.ts'
import type { FolderEntry, Host } from '../../../model/host.ts'
import { CannotLook, cannot, findInside, linkTarget } from './look-inside.ts'
import { LookOutput, quoted } from './look-output.ts'

/** Folders that are large and say little about an answer, or what earlier runs made of it. */
const LEFT_OUT = ['.assay', '.git', 'node_modules']

/** What is in a folder of the folder, a line each. */
export async function listFolder(folder: string, path: string, host: Host): Promise<string> {
  const found = await findInside(folder, path, host)
  if (found.stat.kind !== 'folder') throw new CannotLook(`${shown(path)} is a file, and no folder: read it`)
  const all = await host.files.listEntries(found.path).catch(error => cannot(path, error))
  const entries = all.filter(isListed)
  const output = new LookOutput()
  for (const entry of entries) {
    if (!output.add(await entryLine(folder, join(found.path, entry.name), entry, host))) break
  }
  const left = all.filter(entry => !isListed(entry)).map(({ name }) => `${name}/`)
  const cut = entries.length - output.count
  return output.with([
    ...(cut > 0 ? [`cut: ${cut} more of ${entries.length}`] : []),
    ...(left.length > 0 ? [`left out: ${left.join(', ')}`] : []),
    ...(all.length === 0 ? ['the folder is empty'] : []),
  ])
}

/** Whether something in a folder is shown, or searched, by itself: it is when it is named. */
export function isListed({ name }: FolderEntry): boolean {
  return !LEFT_OUT.includes(name)
}

async function entryLine(folder: string, path: string, { name, kind }: FolderEntry, host: Host): Promise<string> {
  switch (kind) {
    case 'folder':
      return `${quoted(name)}/`
    case 'other':
      return `${quoted(name)} (neither a file nor a folder)`
    case 'file': {
      const size = (await host.files.stat(path).catch(() => undefined))?.size ?? 0
      return `${quoted(name)} (${plural(size, 'byte')})`
    }
    case 'link': {
      const target = await linkTarget(folder, path, host)
      if (target === 'outside') return `${quoted(name)} (a link out of the folder: it is not followed)`
      if (target === 'nowhere') return `${quoted(name)} (a link that leads nowhere)`
      return `${quoted(name)}${target.stat.kind === 'folder' ? '/' : ''} (a link to ${quoted(target.name)})`
    }
  }
}
