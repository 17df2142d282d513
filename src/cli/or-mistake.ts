import { printableLine } from '../lib/text/escape.ts'
import { UserError } from '../model/user-error.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { terminal } from './terminal/terminal.ts'

/** Does what was asked for. That it cannot be done is the user's mistake, and said as such. */
export async function orMistake(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    sayCannotDo(error)
    return EXIT.mistakes
  }
}

/** Says why something cannot be done; anything else that was thrown is thrown again. */
export function sayCannotDo(error: unknown): void {
  if (!(error instanceof UserError)) throw error
  const lines = [error.message, ...(error.advice === undefined ? [] : [error.advice])]
  terminal.err(lines.map(line => `${printableLine(line)}\n`).join(''))
}
