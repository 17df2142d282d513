import { basename, dirname, join, relative, sep } from 'node:path'
import { parseDraftName } from '../../lib/paths.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { MockServer, Mocks } from '../../model/mock.ts'
import { serverNameSchema } from '../../model/mock.ts'
import type { SuiteContext } from '../suite/load-context.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { loadServerFolder, type ServerFiles } from './server-folder.ts'

/** The folder of recorded calls, in a folder for each server. */
const REPLAY = '.replay'

/** Loads mocks from a folder with a folder for each server. Returns undefined if it has errors. */
export async function loadMocksFolder(
  written: string,
  at: SourceNode,
  context: SuiteContext,
): Promise<Mocks | undefined> {
  const { files, diagnostics } = context
  const folder = await files.resolve(written, at.file)
  const stat = await files.stat(folder)
  if (stat?.kind !== 'folder') {
    const message = `${quoteCode(written)} ${stat ? 'is not a folder' : 'does not exist'}`
    diagnostics.add({ code: stat ? 'file-unreadable' : 'file-missing', at, message, hint: `looked at ${folder}` })
    return undefined
  }
  const found = await filesIn(folder, at, context)
  const before = diagnostics.errors
  const servers: Record<string, MockServer> = {}
  for (const [name, paths] of byServer(folder, found)) {
    const problem = serverNameSchema().safeParse(name).error?.issues[0]?.message
    if (problem !== undefined) {
      const message = `the folder ${quoteCode(name)} ${problem}`
      diagnostics.add({ code: 'bad-mock', at, message, hint: `rename ${join(folder, name)}` })
      continue
    }
    const server = await loadServerFolder(join(folder, name), paths, context)
    if (server) servers[name] = server
  }
  for (const path of found.filter(path => dirname(path) === folder && basename(path) !== 'README.md')) {
    const message = `${quoteCode(basename(path))} is not in the folder of a server`
    const hint = `move it to ${join(written, 'SERVER', basename(path))}, or remove it`
    diagnostics.add({ code: 'bad-mock', at, message, hint })
  }
  if (Object.keys(servers).length === 0 && diagnostics.errors === before) {
    const message = `${quoteCode(written)} contains no mocked tools`
    const hint = 'add a file for each tool: `SERVER/TOOL.md`'
    diagnostics.add({ code: 'bad-mock', at, message, hint })
  }
  return diagnostics.errors > before ? undefined : { servers, paths: found.filter(path => dirname(path) !== folder) }
}

function byServer(folder: string, found: readonly string[]): ReadonlyMap<string, ServerFiles> {
  const servers = new Map<string, { own: string[]; recordings: string[] }>()
  for (const path of found) {
    const steps = relative(folder, path).split(sep)
    const isRecording = steps[0] === REPLAY
    const [name, ...rest] = isRecording ? steps.slice(1) : steps
    if (name === undefined || rest.length === 0) continue
    const server = servers.get(name) ?? { own: [], recordings: [] }
    servers.set(name, server)
    server[isRecording ? 'recordings' : 'own'].push(path)
  }
  return servers
}

async function filesIn(
  folder: string,
  at: SourceNode,
  { files: { host }, diagnostics }: SuiteContext,
): Promise<readonly string[]> {
  const found: string[] = []
  // Hidden folders are skipped, but for that of recordings, and files that a killed process did not finish.
  for (const part of [folder, join(folder, REPLAY)]) {
    if ((await host.files.stat(part).catch(() => undefined))?.kind !== 'folder') continue
    const { files, closed } = await host.files.findBelow(part, name => !name.startsWith('.') && !parseDraftName(name))
    found.push(...files)
    for (const path of closed) {
      const message = `the folder ${quoteCode(path)} cannot be read: permission denied`
      diagnostics.add({ code: 'file-unreadable', at, message, hint: 'change its permissions' })
    }
  }
  return found
}
