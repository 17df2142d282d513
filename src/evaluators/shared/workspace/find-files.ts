import { join } from 'node:path'
import type { PathGlob } from '../../../lib/globs/path-glob.ts'
import type { ChangeState, FileChange } from '../../../model/changes.ts'
import type { Subject } from '../../../model/evaluator.ts'
import type { Host } from '../../../model/host.ts'
import { changesOf } from './recorded-changes.ts'
import { workspaceRoot } from './workspace-root.ts'

/** A file of a workspace after the agent, and what the agent did to it. */
export interface FoundFile {
  readonly path: string
  /** Undefined for a file that the agent did not change. */
  readonly change: FileChange | undefined
}

export interface FoundFiles {
  readonly files: readonly FoundFile[]
  /** Whether there may be others: the workspace is gone, and only changed files are in the record. */
  readonly isPartial: boolean
}

/** Finds the files that an agent created, modified or deleted. */
export function findChanged(isWanted: (path: string) => boolean, state: ChangeState, subject: Subject): FoundFiles {
  const changes = changesOf(subject).filter(change => change.state === state && isWanted(change.path))
  return { files: changes.map(change => ({ path: change.path, change })), isPartial: false }
}

/** How files are selected: by the paths that a glob matches, or also by those that it covers. */
export interface FileSelection {
  readonly glob: PathGlob
  readonly by: 'matches' | 'covers'
}

/** Finds the files that exist after the agent. What the record has is not taken from the folder. */
export async function findExisting({ glob, by }: FileSelection, subject: Subject, host: Host): Promise<FoundFiles> {
  const isWanted = (path: string) => glob[by](path)
  const changes = changesOf(subject)
  const kept = changes.filter(({ state, path }) => state !== 'deleted' && isWanted(path))
  const changed: FoundFile[] = kept.map(change => ({ path: change.path, change }))
  // The record has all that is to know about a path that was changed.
  if (changes.some(({ path }) => path === glob.literal)) return { files: changed, isPartial: false }
  const root = await workspaceRoot(subject, host)
  if (root === undefined) return { files: changed, isPartial: true }
  const known = new Set(changes.map(({ path }) => path))
  const unchanged = (await listFiles(root, { glob, by }, host)).filter(path => !known.has(path) && isWanted(path))
  const files = [...changed, ...unchanged.map(path => ({ path, change: undefined }))]
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), isPartial: false }
}

/** Lists the files and links in the folders of a workspace in which matches can be. Links are not followed. */
async function listFiles(root: string, { glob, by }: FileSelection, host: Host): Promise<string[]> {
  const files: string[] = []
  const open = ['']
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const { name, kind } of await host.files.listEntries(join(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (kind === 'folder' && (glob.mayMatchBelow(path) || (by === 'covers' && glob.covers(path)))) open.push(path)
      else if (kind !== 'folder') files.push(path)
    }
  }
  return files
}
