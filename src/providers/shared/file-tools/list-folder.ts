import { join } from 'node:path'
import { plural } from '../../../lib/text/format.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import type { FolderEntry } from '../../../model/host-files.ts'
import { resolveInside, resolveLink, ToolError, throwToolError } from './resolve-inside.ts'
import { quoteName, ToolOutput } from './tool-output.ts'

/** Folders that are large or unrelated to an answer. They can still be opened by name. */
const SKIPPED_FOLDERS = ['.assay', '.git', 'node_modules']

/** Lists a folder inside `folder`, one line per entry. */
export async function listFolder(folder: string, path: string, host: Host): Promise<string> {
  const found = await resolveInside(folder, path, host)
  if (found.stat.kind !== 'folder') throw new ToolError(`${quoteCode(path)} is a file, not a folder: use \`read\``)
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
    ...(left.length > 0 ? [`skipped: ${left.join(', ')}`] : []),
    ...(all.length === 0 ? ['the folder is empty'] : []),
  ])
}

/** Whether an entry is listed and searched. */
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
      if (target === 'outside') return `${quoteName(name)} (a link to outside the folder, not followed)`
      if (target === 'nowhere') return `${quoteName(name)} (a broken link)`
      return `${quoteName(name)}${target.stat.kind === 'folder' ? '/' : ''} (a link to ${quoteName(target.name)})`
    }
  }
}
