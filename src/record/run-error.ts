import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'

/** A run that cannot be found or read, in words for people. */
export class RunError extends UserError {
  override readonly name = 'NoRun'
}

/** An error of the host in words that say what could not be read. */
export function cannotRead(path: string): (error: Error) => never {
  return error => {
    throw error instanceof RunError ? error : new RunError(`Cannot read ${path}: ${error.message}`)
  }
}

/** What is in a file; undefined where there is none. One that is there and cannot be read is not taken for none. */
export async function readIfExists(path: string, host: Host): Promise<Uint8Array | undefined> {
  return host.files.read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    return cannotRead(path)(error)
  })
}
