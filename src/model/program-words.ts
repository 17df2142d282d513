import { cutText } from '../lib/cut-text.ts'
import { shown } from '../lib/shown.ts'
import type { ProgramEnd } from './host.ts'

/** The last of what a program wrote to stderr, for a message. */
export function lastWords({ stderr }: ProgramEnd): string {
  const last = lastLines(stderr)
  return last === '' ? ', without a word on stderr' : `; the last of its stderr:\n${last}`
}

/** The last lines of an output, for a message. */
export function lastLines(output: string): string {
  const whole = output.trimEnd()
  const last = whole.split('\n').slice(-20).join('\n').slice(-2000)
  // The mark also says that a secret may have been cut there.
  return last.length < whole.length ? `…${last}` : last
}

/** `ended with exit code 3`, with the last that it said. */
export function endWords(end: ProgramEnd): string {
  const how = end.code === undefined ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`
  return `${how}${lastWords(end)}`
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
