import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'

/** A run that cannot be found, read or written. */
export class RunError extends UserError {
  override readonly name = 'NoRun'
}

/** Rethrows an error of the host as a `RunError` that names the path. */
export function cannotRead(path: string): (error: Error) => never {
  return error => {
    throw error instanceof RunError ? error : new RunError(`Cannot read ${path}: ${error.message}`)
  }
}

/** Reads a file; undefined if it does not exist. Throws if it exists but cannot be read. */
export async function readIfExists(path: string, host: Host): Promise<Uint8Array | undefined> {
  return host.files.read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    return cannotRead(path)(error)
  })
}
