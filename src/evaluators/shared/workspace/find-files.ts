import type { PathGlob } from '../../../lib/globs/path-glob.ts'
import type { ChangeState, FileChange } from '../../../model/changes.ts'
import type { GradeContext, Subject } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import { changesOf, quotePath } from './recorded-changes.ts'
import { untouchedRoot } from './workspace-root.ts'

/** A file of a workspace after the agent, and what the agent did to it. */
export interface FoundFile {
  readonly path: string
  /** Undefined for a file that the agent did not change. */
  readonly change: FileChange | undefined
  /** Whether it is a symbolic link. */
  readonly isLink: boolean
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** Whether there may be others: the workspace is gone, and only changed files are in the record. */
  readonly isPartial: boolean
}

/** Finds the files that an agent created, modified or deleted. */
export function findChanged(glob: PathGlob, state: ChangeState, subject: Subject): FoundFiles {
  const changes = changesOf(subject).filter(change => change.state === state && glob.matches(change.path))
  return { files: changes.map(changedFile), isPartial: false }
}

export function changedFile(change: FileChange): FoundFile {
  return { path: change.path, change, isLink: change.after?.link !== undefined }
}

/** Finds the files that exist after the agent. What the record has is not taken from the folder. */
export async function findExisting(
  glob: PathGlob,
  isWanted: (path: string) => boolean,
  subject: Subject,
  context: GradeContext,
): Promise<FoundFiles> {
  const changes = changesOf(subject)
  const changed = changes.filter(({ state, path }) => state !== 'deleted' && isWanted(path)).map(changedFile)
  // The record has all that is to know about a path that was changed.
  if (changes.some(({ path }) => path === glob.literal)) return { files: changed, isPartial: false }
  const unchanged = await findUnchanged(new Set(changes.map(({ path }) => path)), glob, subject, context)
  if (!unchanged) return { files: changed, isPartial: true }
  const files = [...changed, ...unchanged.filter(({ path }) => isWanted(path))]
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), isPartial: false }
}

/** Lists the files of the workspace that were not changed; undefined if the workspace no longer exists. */
async function findUnchanged(
  changed: ReadonlySet<string>,
  glob: PathGlob,
  subject: Subject,
  { host, signal }: GradeContext,
): Promise<readonly FoundFile[] | undefined> {
  const root = await untouchedRoot(subject, host)
  if (root === undefined) return undefined
  const { files, links, closed } = await host.files.readTree(root, signal)
  const hidden = closed.find(folder => glob.mayMatchBelow(folder) || glob.covers(folder))
  if (hidden !== undefined)
    throw new Unjudged('file-unreadable', `the folder ${quotePath(hidden)} of the workspace cannot be read`)
  const found = (path: string, isLink: boolean) => ({ path, change: undefined, isLink })
  return [
    ...[...files.keys()].map(path => found(path, false)),
    ...[...links.keys()].map(path => found(path, true)),
  ].filter(({ path }) => !changed.has(path))
}
