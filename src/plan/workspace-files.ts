import { dirname, join } from 'node:path'
import { sha256 } from '../lib/sha256.ts'
import type { Host, ProgramEnd } from '../model/host.ts'
import { WITHOUT_GIT_VARIABLES } from '../model/program.ts'

/** Records and cached answers: an agent must not see other attempts. */
const OTHER_ATTEMPTS = /(?:^|[\\/])\.assay[\\/](?:runs|cache)(?:[\\/]|$)/

export function hasOtherAttempts(folder: string): boolean {
  return OTHER_ATTEMPTS.test(folder)
}

/** The files of a workspace that are copied for attempts, relative to it; undefined for all of them. */
export async function copiedFiles(
  folder: string,
  host: Host,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  const names = await gitFiles(folder, host, signal)
  return names?.filter(name => !hasOtherAttempts(dirname(name)))
}

/**
 * A hash of the names and contents of the files in a workspace: with others, attempts start from another state. Does not
 * ask git, so that the identity of a target never depends on whether git can be started; ignored files count too.
 */
export async function hashWorkspace(folder: string, host: Host): Promise<string> {
  const lines: string[] = []
  for (const name of (await filesIn(folder, host)).sort()) {
    const bytes = await host.files.read(join(folder, name)).catch(() => undefined)
    lines.push(`${name}\0${bytes ? sha256(bytes) : 'unreadable'}`)
  }
  return sha256(lines.join('\n'))
}

/** Every file below a folder, except in `.git` and `node_modules`. */
async function filesIn(folder: string, host: Host, below = ''): Promise<string[]> {
  const path = join(folder, below)
  const names: string[] = []
  for (const { name, kind } of await host.files.listEntries(path).catch(() => [])) {
    const inside = join(below, name)
    if (kind !== 'folder') names.push(inside)
    else if (name !== '.git' && name !== 'node_modules' && !hasOtherAttempts(join(path, name)))
      names.push(...(await filesIn(folder, host, inside)))
  }
  return names
}

const MOST_NAMES_BYTES = 100_000_000

/** Runs no program and fetches nothing, whatever the repository's configuration. */
const LIST = ['git', '-c', 'core.fsmonitor=false', 'ls-files', '-z']
const ENV = { ...WITHOUT_GIT_VARIABLES, GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' }

/** Lists the files of a folder that git does not ignore; undefined outside a repository. */
export async function gitFiles(
  folder: string,
  host: Host,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly string[] | undefined> {
  const list = async (...options: string[]) => {
    const command = [...LIST, ...options]
    const end = await host.processes
      .run({ command, cwd: folder, env: ENV, maxOutputBytes: MOST_NAMES_BYTES, signal })
      .catch(unlessMissing)
    signal.throwIfAborted()
    return end && namesIn(end)
  }
  const names = await list('--cached', '--others', '--exclude-standard')
  // A folder that is itself ignored is copied as a whole.
  if (!names || names.length === 0) return undefined
  const modules = ((await list('--stage')) ?? []).flatMap(line => /^160000 .*?\t(.*)$/s.exec(line)?.[1] ?? [])
  const inner = new Set([...modules, ...names.filter(name => name.endsWith('/')).map(name => name.slice(0, -1))])
  const own = new Set(names.filter(name => !name.endsWith('/') && !inner.has(name)))
  const below: string[][] = []
  // In sequence: there may be hundreds.
  for (const name of inner) below.push(await filesBelow(folder, name, host, signal))
  return [...own, ...below.flat()]
}

/** Lists a nested repository by its own ignore rules. */
async function filesBelow(folder: string, name: string, host: Host, signal: AbortSignal): Promise<string[]> {
  const place = join(folder, name)
  if ((await host.files.stat(place).catch(() => undefined))?.kind !== 'folder') return []
  const files = await gitFiles(place, host, signal)
  return files ? files.map(file => join(name, file)) : [name]
}

function namesIn({ code, stdout, stderr, tooLarge }: ProgramEnd): string[] | undefined {
  if (code === 0 && !tooLarge) return stdout.split('\0').filter(name => name !== '')
  if (stderr.includes('not a git repository')) return undefined
  throw new Error(`git cannot list the files: ${stderr.trim().split('\n')[0]}`)
}

/** Without git, all files are copied. */
function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
