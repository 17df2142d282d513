import { onOneLine, printable } from '../lib/printable.ts'
import { isSystemError } from '../lib/system-error.ts'
import { BUG_TEXT } from './bug-text.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

/** How the program ends after something that nobody expected: what the machine does not let us do is no bug of ours. */
export function thrownEnd(error: unknown): { readonly code: ExitCode; readonly text: string } {
  if (isSystemError(error)) {
    const isGone = error.syscall === 'uv_cwd'
    const text = isGone ? 'The current folder does not exist any more.' : `Cannot go on: ${onOneLine(error.message)}`
    return { code: EXIT.mistakes, text: `${text}\n` }
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: EXIT.bug, text: `${printable(stack)}\n\n${BUG_TEXT}` }
}
