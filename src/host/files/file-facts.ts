import type { Stats } from 'node:fs'
import type { FileFacts } from '../../model/host-files.ts'

export function factsOf({ ino, size, ctimeMs }: Stats): FileFacts {
  return { inode: ino, size, changed_ms: ctimeMs }
}

/** The longest step of a file system's clock: those without fractions of a second round to one or two. */
const COARSE_STEP_MS = 2000

/** Whether a file was changed so long before a time of the file system that any later write changes its facts. */
export function isOlder({ ctimeMs }: Stats, time: number): boolean {
  return ctimeMs + (ctimeMs % 1000 === 0 ? COARSE_STEP_MS : 0) < time
}
