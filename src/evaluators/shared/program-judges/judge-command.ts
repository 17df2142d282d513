import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import { findProgram } from '../../../model/program.ts'
import { foldersUpTo } from '../../../model/repository-root.ts'
import { type JudgeLocations, resolveLine, resolveList } from './judge-paths.ts'

type Command = readonly string[] | string

/** Resolves a command for this machine: absolute paths, and interpreters that are installed. */
export async function judgeCommand(
  command: Command,
  places: JudgeLocations,
  host: Host,
): Promise<Command | MissingProgram> {
  const located = await resolveCommand(command, places, host)
  return withTypeScript(await withPython(await withInterpreter(located, host), host), host)
}

/** A line without special characters of the shell. */
const PLAIN_LINE = /^[\p{L}\p{N}_./@%+,: -]+$/u

/** Resolves paths. A plain line that starts a judge next to the suite becomes a list, so its file need not be executable. */
async function resolveCommand(command: Command, places: JudgeLocations, host: Host): Promise<Command> {
  if (typeof command !== 'string') return resolveList(command, places, host)
  const words = PLAIN_LINE.test(command.trim()) ? command.trim().split(/ +/) : []
  const located = await resolveList(words, places, host)
  return located[0] === words[0] ? resolveLine(command, places, host) : located
}

/** A program that is not installed. */
export interface MissingProgram {
  readonly lacks: string
}

/** Uses `python3` if `python` is not installed. */
async function withPython(command: Command, host: Host): Promise<Command> {
  const first = typeof command === 'string' ? /^\S*/.exec(command)?.[0] : command[0]
  if (first !== 'python' || host.platform === 'win32') return command
  if ((await findProgram('python', host)) !== undefined || (await findProgram('python3', host)) === undefined)
    return command
  return typeof command === 'string' ? command.replace('python', 'python3') : ['python3', ...command.slice(1)]
}

/** The longest first line that operating systems read. */
const LONGEST_FIRST_LINE = 256

/** Adds the interpreter of a script, from its first line or its extension. */
async function withInterpreter(command: Command, host: Host): Promise<Command> {
  const [script = ''] = typeof command === 'string' ? [] : command
  if (!isAbsolute(script)) return command
  const runner = RUNNERS[extname(script)]
  const stat = await host.files.stat(script).catch(() => undefined)
  if (runner === undefined && stat?.executable !== false) return command
  const named = host.platform === 'win32' ? undefined : await firstLine(script, host)
  return [...(named ?? runner ?? []), ...command]
}

/** The interpreter in the first line of a script, with at most one argument. */
async function firstLine(script: string, host: Host): Promise<string[] | undefined> {
  const bytes = await host.files.read(script, LONGEST_FIRST_LINE).catch(() => new Uint8Array())
  const line = /^#![ \t]*(\S+)[ \t]*([^\r\n]*?)[ \t]*\r?\n/.exec(Buffer.from(bytes).toString())
  return line?.slice(1).filter(word => word !== '')
}

/** The interpreters of scripts by their extensions. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  '.sh': ['sh'],
  '.py': ['python'],
  '.js': ['node'],
  '.mjs': ['node'],
  '.cjs': ['node'],
  '.ts': ['node'],
}

/** Uses `tsx` for TypeScript if Node is older than 22.18. */
async function withTypeScript(command: Command, host: Host): Promise<Command | MissingProgram> {
  if (typeof command === 'string') return command
  const [program, file = '', ...rest] = command
  if (program !== 'node' || !file.endsWith('.ts') || runsTypeScript(host.node_version)) return command
  const tsx = await findTsx(file, host)
  if (tsx !== undefined) return [tsx, file, ...rest]
  return {
    lacks: `Node ${host.node_version} cannot run ${quoteCode(basename(file))}: use Node 22.18 or later, or install \`tsx\``,
  }
}

function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

async function findTsx(file: string, host: Host): Promise<string | undefined> {
  for (const folder of foldersUpTo('/', dirname(file))) {
    const path = join(folder, 'node_modules/.bin/tsx')
    if (await host.files.stat(path).catch(() => undefined)) return path
  }
  return findProgram('tsx', host)
}
