import { sha256 } from '../lib/sha256.ts'
import type { Host } from '../model/host.ts'

/** What stays so until somebody changes it. */
const LASTING = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR', 'ELOOP']

/**
 * The hash of a file, as a part of an identity. One that is gone or closed is missed by whoever needs it; but what cannot
 * be read for a moment must not make other attempts of those that were planned before.
 */
export async function hashOfFile(path: string, host: Host): Promise<string> {
  return host.files.read(path).then(sha256, (error: NodeJS.ErrnoException) => {
    if (LASTING.includes(error.code ?? '')) return 'unreadable'
    error.message = `${path} cannot be read: ${error.message}`
    throw error
  })
}
