import { onOneLine } from '../lib/printable.ts'
import { CannotDo } from '../model/cannot-do.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { terminal } from './terminal/terminal.ts'

/** Does what was asked for. That it cannot be done is the user's mistake, and said as such. */
export async function orMistake(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CannotDo)) throw error
    terminal.err(`${onOneLine(error.message)}\n`)
    return EXIT.mistakes
  }
}
