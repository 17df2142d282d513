import { basename, dirname, isAbsolute, join } from 'node:path'
import { shown } from '../../../lib/shown.ts'
import type { Host } from '../../../model/host.ts'
import { onPath } from '../../../model/on-path.ts'
import { foldersUpTo } from '../../../model/repository-root.ts'
import { type JudgePlaces, locatedLine, locatedList } from './judge-paths.ts'

type Command = readonly string[] | string

/** A command as it runs on this machine: paths made absolute, and programs under the names that they have here. */
export async function judgeCommand(command: Command, places: JudgePlaces, host: Host): Promise<Command | Lacking> {
  const located = await (typeof command === 'string'
    ? locatedLine(command, places, host)
    : locatedList(command, places, host))
  return withTypeScript(await withInterpreter(await withPython(located, host), host), host)
}

/** What is not installed. */
export interface Lacking {
  readonly lacks: string
}

/** `python` is only called `python3` on many machines. */
async function withPython(command: Command, host: Host): Promise<Command> {
  const first = typeof command === 'string' ? /^\S*/.exec(command)?.[0] : command[0]
  if (first !== 'python' || host.platform === 'win32') return command
  if ((await onPath('python', host)) !== undefined || (await onPath('python3', host)) === undefined) return command
  return typeof command === 'string' ? command.replace('python', 'python3') : ['python3', ...command.slice(1)]
}

/** No system reads more of a first line. */
const LONGEST_FIRST_LINE = 256

/** A script of the shell runs by the interpreter that its first line names, with one argument at most, as systems do it. */
async function withInterpreter(command: Command, host: Host): Promise<Command> {
  const [script = ''] = typeof command === 'string' ? [] : command
  if (!script.endsWith('.sh') || !isAbsolute(script)) return command
  const bytes = await host.readBytes(script, LONGEST_FIRST_LINE).catch(() => new Uint8Array())
  const line = /^#![ \t]*(\S+)[ \t]*([^\r\n]*?)[ \t]*\r?\n/.exec(Buffer.from(bytes).toString())
  const [, program, argument] = host.platform === 'win32' ? [] : (line ?? [])
  return [program ?? 'sh', ...(argument ? [argument] : []), ...command]
}

/** Node runs TypeScript from 22.18 on; before that, `tsx` does where it is installed. */
async function withTypeScript(command: Command, host: Host): Promise<Command | Lacking> {
  if (typeof command === 'string') return command
  const [program, file = '', ...rest] = command
  if (program !== 'node' || !file.endsWith('.ts') || runsTypeScript(host.node_version)) return command
  const tsx = await findTsx(file, host)
  if (tsx !== undefined) return [tsx, file, ...rest]
  return {
    lacks: `Node ${host.node_version} cannot run ${shown(basename(file))}: use Node 22.18 or later, or install \`tsx\``,
  }
}

function runsTypeScript(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

async function findTsx(file: string, host: Host): Promise<string | undefined> {
  for (const folder of foldersUpTo('/', dirname(file))) {
    const path = join(folder, 'node_modules/.bin/tsx')
    if (await host.stat(path).catch(() => undefined)) return path
  }
  return onPath('tsx', host)
}
