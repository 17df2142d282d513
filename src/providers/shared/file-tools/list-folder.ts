import { join } from 'node:path'
import { plural } from '../../../lib/text/format.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { FolderEntry, Host } from '../../../model/host.ts'
import { resolveInside, resolveLink, ToolError, throwToolError } from './resolve-inside.ts'
import { quoteName, ToolOutput } from './tool-output.ts'

/** Folders that are large and say little about an answer, or what earlier runs made of it. */
const SKIPPED_FOLDERS = ['.assay', '.git', 'node_modules']

/** What is in a folder of the folder, a line each. */
export async function listFolder(folder: string, path: string, host: Host): Promise<string> {
  const found = await resolveInside(folder, path, host)
  if (found.stat.kind !== 'folder') throw new ToolError(`${quoteCode(path)} is a file, and no folder: read it`)
  const all = await host.files.listEntries(found.path).catch(error => throwToolError(path, error))
  const entries = all.filter(isListed)
  const output = new ToolOutput()
  for (const entry of entries) {
    if (!output.add(await formatEntry(folder, join(found.path, entry.name), entry, host))) break
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
  return !SKIPPED_FOLDERS.includes(name)
}

async function formatEntry(folder: string, path: string, { name, kind }: FolderEntry, host: Host): Promise<string> {
  switch (kind) {
    case 'folder':
      return `${quoteName(name)}/`
    case 'other':
      return `${quoteName(name)} (neither a file nor a folder)`
    case 'file': {
      const size = (await host.files.stat(path).catch(() => undefined))?.size ?? 0
      return `${quoteName(name)} (${plural(size, 'byte')})`
    }
    case 'link': {
      const target = await resolveLink(folder, path, host)
      if (target === 'outside') return `${quoteName(name)} (a link out of the folder: it is not followed)`
      if (target === 'nowhere') return `${quoteName(name)} (a link that leads nowhere)`
      return `${quoteName(name)}${target.stat.kind === 'folder' ? '/' : ''} (a link to ${quoteName(target.name)})`
    }
  }
}
