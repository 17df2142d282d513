import { join } from 'node:path'
import { quoteCode, truncate } from '../lib/text/quote.ts'
import type { Host, ProgramEnd } from './host.ts'

/** Describes the stderr of a program, for the end of a message. */
export function describeStderr({ stderr }: ProgramEnd, lead?: string): string {
  return describeOutput('stderr', stderr, lead) || ', with empty stderr'
}

/** Describes an output: its most telling line, then its last lines; empty for an empty output. */
export function describeOutput(name: string, output: string, lead = `; ${name}: `): string {
  const whole = output.trimEnd()
  if (whole === '') return ''
  const last = whole.split('\n').slice(-20).join('\n').slice(-2000)
  // The ellipsis also marks a secret that may have been cut.
  const end = last.length < whole.length ? `…${last}` : last
  const telling = tellingLine(end.split('\n'))
  return `${lead}${telling}${telling === end ? '' : `\n${name}:\n${end}`}`
}

/** The last line that is not part of a stack trace. */
function tellingLine(lines: readonly string[]): string {
  const isTelling = (line: string) => /^[^\s}\])]/.test(line) && !/^Node\.js v\d/.test(line)
  return (lines.findLast(isTelling) ?? lines.at(-1) ?? '').trim()
}

/** `ended with exit code 3: ValueError: no such column`, with the end of stderr. */
export function describeExit(end: ProgramEnd): string {
  const how = end.code === undefined ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`
  return `${how}${describeStderr(end, ': ')}`
}

/** Describes why a program could not be started; undefined for an error without a code. */
export function describeStartError(
  { code, message }: NodeJS.ErrnoException,
  command: readonly string[] | string,
): string | undefined {
  const name = typeof command === 'string' ? 'the shell' : quoteCode(command[0])
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${name} could not be started: program not found`
    case 'EACCES':
      return `${name} could not be started: permission denied`
    case undefined:
      return undefined
    default:
      return `${name} could not be started: ${truncate(message, 300)}`
  }
}

const found = new WeakMap<Host, Map<string, Promise<string | undefined>>>()

/** Finds a program on the PATH; the result is cached. */
export function findProgram(name: string, host: Host, path = host.env['PATH'] ?? ''): Promise<string | undefined> {
  const known = found.get(host) ?? new Map<string, Promise<string | undefined>>()
  found.set(host, known)
  const key = JSON.stringify([name, path])
  const program = known.get(key) ?? findOnPath(name, path, host)
  known.set(key, program)
  return program
}

async function findOnPath(name: string, path: string, host: Host): Promise<string | undefined> {
  const folders = path.split(':').filter(folder => folder !== '')
  for (const folder of folders) {
    const file = join(folder, name)
    const stat = await host.files.stat(file).catch(() => undefined)
    if (stat?.kind === 'file' && stat.executable) return file
  }
  return undefined
}

/** Removes the variables that Git sets for hooks, because they name another repository. */
export const WITHOUT_GIT_VARIABLES = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_PREFIX: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
}
