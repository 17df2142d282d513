import { basename, join, resolve } from 'node:path'
import { nodeHost } from '../../host/node.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import { type Log, LogError } from '../../log/log.ts'
import { InvalidLogError } from '../../log/log-files.ts'
import { LogFolder } from '../../log/log-folder.ts'
import { slugOf } from '../../log/log-names.ts'
import type { Host } from '../../model/host.ts'
import { findRepositoryRoot, foldersUpTo } from '../../model/repository-root.ts'
import type { ExitCode } from '../exit-codes.ts'
import { orMistake } from '../or-mistake.ts'
import { warningText } from '../terminal/progress.ts'
import { paletteFor, shownPath, terminal } from '../terminal/terminal.ts'

export interface LogOptions {
  readonly logDir?: string
  readonly json?: boolean
}

/** Logs that were opened for a command. */
export interface OpenLogs {
  readonly folder: LogFolder
  readonly host: Host
}

type Work = (logs: OpenLogs) => Promise<ExitCode>

/** Works with the folder that logs are written to. What cannot be found, read or written is reported. */
export function withLogs({ logDir }: LogOptions, work: Work): Promise<ExitCode> {
  const host = nodeHost()
  return orMistake(() => work({ folder: openLogs(logsPath(logDir, host), host), host }))
}

/** The same with logs that are there: the nearest `.co/evals` from the current folder up to the repository root. */
export function withFoundLogs({ logDir }: LogOptions, work: Work): Promise<ExitCode> {
  const host = nodeHost()
  return orMistake(async () => {
    const path = logDir === undefined ? await nearestLogs(host) : logsPath(logDir, host)
    return work({ folder: openLogs(path, host), host })
  })
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

/** Where logs are written: where the user says, else in the current folder. */
export function logsPath(logDir: string | undefined, host: Host): string {
  return resolve(host.cwd, logDir ?? LOGS)
}

export function openLogs(path: string, host: Host): LogFolder {
  return new LogFolder(path, host, message => terminal.err(`${warningText(message, paletteFor(process.stderr))}\n`))
}

/** The log that the user means: by its name, the beginning of it, its file, or its first input. */
export async function findLog(wanted: string, folder: LogFolder): Promise<Log> {
  const name = await findName(wanted, folder)
  const log = await folder.read(name).catch((error: Error) => {
    if (!(error instanceof InvalidLogError)) throw error
    throw new LogError(`${shownPath(folder.fileOf(name))} cannot be read: ${error.message}`)
  })
  if (!log) throw new LogError(`${shownPath(folder.fileOf(name))} is not a log: it has no \`turns\`.`)
  return log
}

async function findName(wanted: string, folder: LogFolder): Promise<string> {
  const names = await folder.names()
  if (names.length === 0) throw new LogError(`There are no logs in ${shownPath(folder.path)}.`)
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
  throw new LogError(`There is no log ${plain} in ${shownPath(folder.path)}: ${hint}`)
}

/** The logs that begin with this input; else the one whose name it gives, whatever its marks and capitals. */
async function namesByInput(input: string, names: readonly string[], folder: LogFolder): Promise<string[]> {
  const slug = slugOf(input)
  const alike = names.filter(name => name.startsWith(slug) && /^(_\d+)?$/.test(name.slice(slug.length)))
  const logs = await Promise.all(alike.map(name => folder.read(name).catch(() => undefined)))
  const same = alike.filter((_, index) => logs[index]?.turns[0]?.input === input)
  return same.length > 0 ? same : alike.filter(name => name === slug)
}

/** The logs that the user names, else all of them. What cannot be read is said, and only then left out where nobody named it. */
export async function findLogs(wanted: readonly string[], folder: LogFolder): Promise<{ logs: Log[]; broken: number }> {
  if (wanted.length > 0) {
    const logs = new Map<string, Log>()
    for (const each of wanted) {
      const log = await findLog(each, folder)
      logs.set(log.name, log)
    }
    return { logs: [...logs.values()], broken: 0 }
  }
  const logs: Log[] = []
  let broken = 0
  for (const name of await folder.names()) {
    const log = await folder.read(name).catch((error: Error) => {
      if (!(error instanceof LogError)) throw error
      broken++
      terminal.err(`${printableLine(`${shownPath(folder.fileOf(name))} cannot be read: ${error.message}`)}\n`)
    })
    if (log) logs.push(log)
  }
  return { logs, broken }
}
