import type { GradeContext, Subject } from '../../../model/evaluator.ts'
import type { Look } from '../../../model/prompt.ts'
import { untouchedRoot, workspaceGone } from '../workspace/workspace-root.ts'

const MAX_STEPS = 10

/** The folder that a judge inspects, or why it judges by the answer alone. */
export interface Inspection {
  readonly look?: Look | undefined
  readonly blind?: string | undefined
}

/** Lets a judge inspect the workspace. Throws if it is gone or was changed: the answer alone would not decide. */
export async function inspectionOf(subject: Subject, { host, judge_looks }: GradeContext): Promise<Inspection> {
  const folder = await untouchedRoot(subject, host)
  const hadOne = subject.workspace !== undefined || subject.answer.changes !== undefined
  if (folder === undefined && hadOne) throw workspaceGone('a judge inspects it')
  if (folder === undefined) return { blind: 'judged by the answer alone: the target has no workspace' }
  if (!judge_looks) return { blind: 'judged by the answer alone: the judge cannot inspect the workspace' }
  return { look: { folder, max_steps: MAX_STEPS } }
}
