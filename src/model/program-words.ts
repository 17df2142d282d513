import { cutText } from '../lib/cut-text.ts'
import { shown } from '../lib/shown.ts'
import type { ProgramEnd } from './host.ts'

/** What a program wrote to stderr, for the end of a message: the line that says most, then the last lines. */
export function lastWords({ stderr }: ProgramEnd, lead?: string): string {
  return outputWords('stderr', stderr, lead) || ', with empty stderr'
}

/** The last of an output for the end of a message: the line that says most, then the last lines; empty for an empty output. */
export function outputWords(name: string, output: string, lead = `; ${name}: `): string {
  const whole = output.trimEnd()
  if (whole === '') return ''
  const last = whole.split('\n').slice(-20).join('\n').slice(-2000)
  // The mark also says that a secret may have been cut there.
  const shown = last.length < whole.length ? `…${last}` : last
  const telling = tellingLine(shown.split('\n'))
  return `${lead}${telling}${telling === shown ? '' : `\n${name}:\n${shown}`}`
}

/** The last line that is not part of a stack trace, nor what Node prints behind one. */
function tellingLine(lines: readonly string[]): string {
  const isTelling = (line: string) => /^[^\s}\])]/.test(line) && !/^Node\.js v\d/.test(line)
  return (lines.findLast(isTelling) ?? lines.at(-1) ?? '').trim()
}

/** `ended with exit code 3: ValueError: no such column`, with the last that it said. */
export function endWords(end: ProgramEnd): string {
  const how = end.code === undefined ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`
  return `${how}${lastWords(end, ': ')}`
}

/** Why a program could not be started; undefined for what neither the system nor Node has said. */
export function notStartedWords(
  { code, message }: NodeJS.ErrnoException,
  command: readonly string[] | string,
): string | undefined {
  const name = typeof command === 'string' ? 'the shell' : shown(command[0])
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${name} could not be started: there is no such program`
    case 'EACCES':
      return `${name} may not be started: permission denied`
    case undefined:
      return undefined
    default:
      return `${name} could not be started: ${cutText(message, 300)}`
  }
}
