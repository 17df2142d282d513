import { basename, dirname, join, resolve } from 'node:path'
import { isBelow } from '../../../lib/paths.ts'
import type { Host } from '../../../model/host.ts'
import { findProgram } from '../../../model/program.ts'
import { commandFiles, commandWords } from '../programs/command-files.ts'
import { resolveLinks } from './resolve-links.ts'

/** A command as it is written in a target, without the text of a prompt. */
export interface WrittenCommand {
  readonly command: readonly string[] | string
  readonly cwd: string
  /** The PATH on which programs are found. */
  readonly path: string | undefined
}

/** Scripts are mostly started by it, and it is named only in their first line. */
const ALWAYS = ['node']

/** Finds the paths that a command needs: files that it names, its programs, and what these are installed with. */
export async function commandPaths(
  { command, cwd, path }: WrittenCommand,
  hidden: readonly string[],
  host: Host,
): Promise<string[]> {
  const onPath = async (name: string) => {
    const program = name.includes('/') ? undefined : await findProgram(name, host, path)
    return program && resolve(host.cwd, program)
  }
  const names = [...ALWAYS, ...commandWords(command)]
  const programs = (await Promise.all(names.map(onPath))).flatMap(program => program ?? [])
  const files = await existing(commandFiles(command, cwd), ['file'], host)
  const needed = new Set<string>()
  for (const file of new Set([...programs, ...files])) {
    const interpreter = await interpreterOf(file, onPath, host)
    for (const program of [file, ...(interpreter === undefined ? [] : [interpreter])])
      for (const each of await installedWith(program, hidden, host)) needed.add(each)
  }
  return [...needed]
}

async function existing(
  paths: Iterable<string>,
  kinds: readonly string[] = ['file', 'folder'],
  host: Host,
): Promise<string[]> {
  const found: string[] = []
  for (const path of new Set(paths)) {
    const stat = await host.files.stat(path).catch(() => undefined)
    if (stat && kinds.includes(stat.kind)) found.push(path)
  }
  return found
}

/** The first line of a script: `#!/usr/bin/env -S node --quiet`, `#!/opt/venv/bin/python`. */
const FIRST_LINE = /^#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]*)?(\S+))?/
const LONGEST_FIRST_LINE = 256

/** The program that a script is started with. */
async function interpreterOf(
  script: string,
  onPath: (name: string) => Promise<string | undefined>,
  host: Host,
): Promise<string | undefined> {
  const bytes = await host.files.read(script, LONGEST_FIRST_LINE).catch(() => new Uint8Array())
  const [, program, argument = ''] = FIRST_LINE.exec(new TextDecoder('latin1').decode(bytes)) ?? []
  if (program === undefined) return undefined
  return basename(program) === 'env' ? onPath(argument) : resolve(program)
}

/** Finds what a program needs from its installation: npm packages beside it, and the `lib` beside its `bin`. */
async function installedWith(program: string, hidden: readonly string[], host: Host): Promise<string[]> {
  const { real, links } = await resolveLinks(program, host)
  const places = [program, ...links.map(({ path }) => path), real]
  const beside = places.flatMap(place => [...packagesAround(place), ...librariesOf(place, hidden)])
  return [program, ...(await existing(beside, undefined, host))]
}

/** The outermost `node_modules`: packages import others in it, with pnpm through links. */
function packagesAround(path: string): string[] {
  const [above, ...inside] = path.split('/node_modules/')
  return inside.length === 0 ? [] : [`${above}/node_modules`]
}

/** What interpreters look for beside their `bin`; nothing of a folder with hidden ones, such as the project or the home folder. */
function librariesOf(program: string, hidden: readonly string[]): string[] {
  const prefix = dirname(dirname(program))
  if (basename(dirname(program)) !== 'bin' || hidden.some(path => isBelow(path, prefix))) return []
  return ['lib', 'lib64', 'pyvenv.cfg'].map(name => join(prefix, name))
}
