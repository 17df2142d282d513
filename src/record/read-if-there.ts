import type { Host } from '../model/host.ts'
import { cannotRead } from './no-run.ts'

/** What is in a file; undefined where there is none. One that is there and cannot be read is not taken for none. */
export async function readIfThere(path: string, host: Host): Promise<Uint8Array | undefined> {
  return host.files.read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    return cannotRead(path)(error)
  })
}
