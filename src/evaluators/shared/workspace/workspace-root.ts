import { basename, dirname, join } from 'node:path'
import type { Subject } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Host } from '../../../model/host.ts'

/** Resolves the workspace of an answer; undefined if it no longer exists, or a link is in its place. */
export async function workspaceRoot({ workspace }: Subject, host: Host): Promise<string | undefined> {
  if (workspace === undefined) return undefined
  const [real, above] = await Promise.all([host.files.realPath(workspace), host.files.realPath(dirname(workspace))])
  return real !== undefined && above !== undefined && real === join(above, basename(workspace)) ? real : undefined
}

/** The same for a check that looks at what the agent left. Throws `Unjudged` if the files have changed since. */
export async function untouchedRoot(subject: Subject, host: Host): Promise<string | undefined> {
  requireUntouched(subject)
  return workspaceRoot(subject, host)
}

export function requireUntouched({ answer }: Subject): void {
  if (!answer.workspace_altered) return
  throw new Unjudged(
    'workspace-changed',
    'the workspace is no longer as the agent left it (a `command` check may have written there), and the record does not decide this check',
  )
}

/** The error for a check that the record alone does not decide. */
export function workspaceGone(why: string): Unjudged {
  return new Unjudged(
    'workspace-gone',
    `the workspace of this answer no longer exists (it is removed after a pass), and the record does not decide this check: ${why}`,
  )
}
