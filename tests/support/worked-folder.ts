import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { nodeHost } from '../../src/host/node.ts'
import type { Answer } from '../../src/model/answer.ts'
import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import { findChanges } from '../../src/run/changes/find-changes.ts'
import { Originals } from '../../src/run/changes/originals.ts'
import { takeSnapshot } from '../../src/run/changes/snapshot.ts'
import { gradeTest, gradingContext, loadTest } from './checks.ts'
import { folderWith } from './program.ts'

/** A workspace after an agent, and the answer with what changed in it. */
export interface WorkedFolder {
  readonly workspace: string
  readonly answer: Answer
}

/** What is in a workspace before an agent, and what the agent does: contents by path, undefined to delete a file. */
export interface AgentWork {
  readonly before?: Record<string, string | Uint8Array>
  readonly after?: Record<string, string | Uint8Array | undefined>
  /** Further work that files cannot express. */
  readonly more?: (workspace: string) => void
}

/** Lets an agent work in a new folder, and records its changes as a run does. */
export async function worked({ before = {}, after = {}, more }: AgentWork): Promise<WorkedFolder> {
  const host = nodeHost()
  const { signal } = new AbortController()
  const workspace = folderWith(before)
  const snapshot = await takeSnapshot(workspace, new Originals(new Map()), host, { signal })
  const written = Object.entries(after).filter(([, content]) => content !== undefined)
  folderWith(Object.fromEntries(written) as Record<string, string | Uint8Array>, workspace)
  for (const [path, content] of Object.entries(after)) if (content === undefined) rmSync(join(workspace, path))
  more?.(workspace)
  return {
    workspace,
    answer: { text: 'done', changes: (await findChanges(snapshot, workspace, host, signal)).changes },
  }
}

/** Grades the work of an agent with checks given as YAML; without `workspace`, from the record alone. */
export async function gradeWork(
  checks: readonly string[],
  { answer, workspace }: { readonly answer: Answer; readonly workspace?: string | undefined },
  files: Record<string, string> = {},
): Promise<EvaluatorResult[]> {
  const test = await loadTest(checks, files)
  return gradeTest(test, answer, gradingContext(), undefined, workspace)
}
