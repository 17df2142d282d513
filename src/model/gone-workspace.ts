import type { Subject } from './evaluator.ts'
import { Unjudged } from './grade.ts'

/** Throws `Unjudged` if the answer had a workspace that no longer exists, as when a recorded answer is graded again. */
export function requireWorkspaceLeft({ answer, workspace }: Pick<Subject, 'answer' | 'workspace'>): void {
  if (workspace === undefined && answer.changes) throw new Unjudged('workspace-missing', GONE)
}

const GONE =
  'the workspace of this answer no longer exists (it is removed after a pass), and this check needs its files: run the test again'
