import { resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { displayPath } from './display-path.ts'

/** Writes a file that the user names, over an existing one only when forced, and returns its path. */
export async function writeOutput(output: string, text: string, force: boolean, host: Host): Promise<string> {
  const path = resolve(host.cwd, output)
  const written = force ? host.files.write(path, text) : host.files.writeNew(path, text)
  await written.catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it already exists; use --force to overwrite it' : error.message
    throw new UserError(`Cannot write ${displayPath(path, host)}: ${why}`)
  })
  return path
}
