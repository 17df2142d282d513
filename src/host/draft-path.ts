import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { draftName, draftOf } from '../lib/draft-name.ts'
import { isRunning } from './is-running.ts'

/** Tells drafts of this machine from those of others, where a folder is shared. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

let drafts = 0

/** Where a file is written before it gets its place: with the process that does it in its name. */
export function draftPath(file: string): string {
  return draftName({ file, machine: MACHINE, pid: process.pid }, drafts++)
}

/** Whether a file is a draft of a process of this machine that has ended. */
export function isAbandonedDraft(name: string): boolean {
  const draft = draftOf(name)
  return draft !== undefined && draft.machine === MACHINE && draft.pid !== process.pid && !isRunning(draft.pid)
}
