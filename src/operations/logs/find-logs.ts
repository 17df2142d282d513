import { basename, join, resolve } from 'node:path'
import { plural } from '../../lib/text/format.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { type Log, LogError } from '../../log/log.ts'
import { InvalidLogError } from '../../log/log-files.ts'
import { LogFolder } from '../../log/log-folder.ts'
import { slugOf } from '../../log/log-names.ts'
import type { Host } from '../../model/host.ts'
import { findRepositoryRoot, foldersUpTo } from '../../model/repository-root.ts'
import { displayPath } from '../display-path.ts'

/** A folder of logs, opened for a command. */
export interface OpenLogs {
  readonly folder: LogFolder
  readonly host: Host
}

type Warn = (message: string) => void

/** Opens the logs that the user names, else the nearest `.co/evals` from the current folder up to the repository root. */
export async function findLogFolder(logDir: string | undefined, host: Host, warn: Warn): Promise<OpenLogs> {
  const path = logDir === undefined ? await nearestLogs(host) : logsPath(logDir, host)
  return { folder: openLogs(path, host, warn), host }
}

/** Opens the folder that new logs are written to. */
export function newLogFolder(logDir: string | undefined, host: Host, warn: Warn): OpenLogs {
  return { folder: openLogs(logsPath(logDir, host), host, warn), host }
}

async function nearestLogs(host: Host): Promise<string> {
  const root = await findRepositoryRoot(host.cwd, host)
  for (const folder of foldersUpTo(root, host.cwd)) {
    const path = join(folder, LOGS)
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat?.kind === 'folder') return path
  }
  return join(host.cwd, LOGS)
}

const LOGS = join('.co', 'evals')

/** The folder that logs are written to: the one that the user names, else `.co/evals` in the current folder. */
export function logsPath(logDir: string | undefined, host: Host): string {
  return resolve(host.cwd, logDir ?? LOGS)
}

export function openLogs(path: string, host: Host, warn: Warn): LogFolder {
  return new LogFolder(path, host, warn)
}

/** The log that the user means: by its name, the beginning of it, its file, or its first input. */
export async function findLog(wanted: string, { folder, host }: OpenLogs): Promise<Log> {
  const name = await findName(wanted, { folder, host })
  const log = await folder.read(name).catch((error: Error) => {
    if (!(error instanceof InvalidLogError)) throw error
    throw new LogError(`${displayPath(folder.fileOf(name), host)} cannot be read: ${error.message}`)
  })
  if (!log) throw new LogError(`${displayPath(folder.fileOf(name), host)} is not a log: it has no \`turns\`.`)
  return log
}

async function findName(wanted: string, { folder, host }: OpenLogs): Promise<string> {
  const names = await folder.names()
  if (names.length === 0) throw new LogError(`No logs in ${displayPath(folder.path, host)}.`)
  const plain = wanted.endsWith('.yaml') ? basename(wanted, '.yaml') : wanted
  if (names.includes(plain)) return plain
  const byInput = await namesByInput(wanted, names, folder)
  const [first, ...others] = byInput.length > 0 ? byInput : names.filter(name => name.startsWith(plain))
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) throw new LogError(`Several logs begin with ${plain}: ${[first, ...others].join(', ')}.`)
  const hint = didYouMean(
    plain,
    names,
    `there ${names.length === 1 ? 'is' : 'are'} ${plural(names.length, 'log')}, see \`assay log list\``,
  )
  throw new LogError(`No log named ${plain} in ${displayPath(folder.path, host)}: ${hint}`)
}

/** The logs that begin with this input; else the one whose name it gives, whatever its marks and capitals. */
async function namesByInput(input: string, names: readonly string[], folder: LogFolder): Promise<string[]> {
  const slug = slugOf(input)
  const alike = names.filter(name => name.startsWith(slug) && /^(_\d+)?$/.test(name.slice(slug.length)))
  const logs = await Promise.all(alike.map(name => folder.read(name).catch(() => undefined)))
  const same = alike.filter((_, index) => logs[index]?.turns[0]?.input === input)
  return same.length > 0 ? same : alike.filter(name => name === slug)
}

export interface FoundLogs {
  readonly logs: readonly Log[]
  /** Logs that cannot be read; none where the user names some. */
  readonly broken: readonly { readonly file: string; readonly message: string }[]
}

/** The logs that the user names, else all of them. */
export async function findLogs(wanted: readonly string[], open: OpenLogs): Promise<FoundLogs> {
  const { folder } = open
  if (wanted.length > 0) {
    const logs = new Map<string, Log>()
    for (const each of wanted) {
      const log = await findLog(each, open)
      logs.set(log.name, log)
    }
    return { logs: [...logs.values()], broken: [] }
  }
  const logs: Log[] = []
  const broken: FoundLogs['broken'][number][] = []
  for (const name of await folder.names()) {
    const log = await folder.read(name).catch((error: Error) => {
      if (!(error instanceof LogError)) throw error
      broken.push({ file: folder.fileOf(name), message: error.message })
    })
    if (log) logs.push(log)
  }
  return { logs, broken }
}
