import { resolve } from 'node:path'
import { onOneLine } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

/** Writes a file that the user asked for, and says so; over one that is there only when forced. Gives an exit code where it could not. */
export async function writeText(
  output: string,
  text: string,
  { force }: { readonly force?: boolean },
  host: Host,
): Promise<ExitCode | undefined> {
  const path = resolve(host.cwd, output)
  const shown = onOneLine(shownPath(path))
  const write = force ? host.write : host.writeNew
  return write(path, text).then(
    () => {
      terminal.out(`wrote ${shown}\n`)
      return undefined
    },
    (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EEXIST' ? 'it is there already; --force writes over it' : error.message
      terminal.err(`Cannot write ${shown}: ${onOneLine(why)}\n`)
      return EXIT.mistakes
    },
  )
}
