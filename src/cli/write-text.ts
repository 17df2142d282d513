import { resolve } from 'node:path'
import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { shownPath, terminal } from './terminal/terminal.ts'

/** Writes a file that the user asked for, and says so; over one that is there only when forced. */
export async function writeText(
  output: string,
  text: string,
  { force }: { readonly force?: boolean },
  host: Host,
): Promise<void> {
  const path = resolve(host.cwd, output)
  const write = force ? host.files.write : host.files.writeNew
  await write(path, text).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it is there already; --force writes over it' : error.message
    throw new UserError(`Cannot write ${shownPath(path)}: ${why}`)
  })
  terminal.out(`wrote ${printableLine(shownPath(path))}\n`)
}
