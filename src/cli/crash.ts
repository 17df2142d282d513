import { isSystemError } from '../lib/system-error.ts'
import { printable, printableLine } from '../lib/text/escape.ts'
import { version } from '../operations/version.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** What to do about a bug of the program. */
export const BUG_TEXT = `This is a bug in assay ${version}, not in your files.
Please report it with the text above and, where you can, the file that caused it.
`

/** The exit code and the message of an unexpected error. An error of the operating system is not a bug. */
export function describeCrash(error: unknown): { readonly code: ExitCode; readonly text: string } {
  if (isSystemError(error)) {
    const isGone = error.syscall === 'uv_cwd'
    const text = isGone ? 'The current folder no longer exists.' : `Aborted: ${printableLine(error.message)}`
    return { code: EXIT.userError, text: `${text}\n${isOutOfFiles(error) ? MORE_FILES : ''}` }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: EXIT.bug, text: `${printable(stack)}\n\n${BUG_TEXT}` }
}

function isOutOfFiles({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EMFILE' || code === 'ENFILE'
}

const MORE_FILES = 'hint: allow more open files (ulimit -n 1024), or run fewer attempts at once (--workers)\n'
