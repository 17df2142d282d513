import { sha256 } from '../../../lib/sha256.ts'
import { type FileChange, textAfter } from '../../../model/changes.ts'
import type { Subject } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Host } from '../../../model/host.ts'
import type { ContainedFile } from '../../../model/host-files.ts'
import { changedFile, type FoundFile } from './find-files.ts'
import { changesOf, quotePath } from './recorded-changes.ts'
import { untouchedRoot, workspaceGone } from './workspace-root.ts'

/** Larger files are not compared. */
export const LARGEST_FILE_BYTES = 10_000_000

/** The content of a file, or why it has none. */
export type FileContent = { readonly bytes: Uint8Array } | { readonly unreadable: string }

/** Returns the content of a file after the agent: from the record, else from the workspace. Throws `Unjudged` if neither has it. */
export async function contentOf(file: FoundFile, subject: Subject, host: Host): Promise<FileContent> {
  const { path, change } = file
  const recorded = change && recordedContent(change)
  if (recorded) return { bytes: recorded }
  const root = await untouchedRoot(subject, host)
  if (root === undefined) throw workspaceGone(`it needs the content of ${quotePath(path)}`)
  return checkedContent(await host.files.readContained(root, path, LARGEST_FILE_BYTES), file)
}

/** The same for a path at which there may be no file. */
export async function contentAt(path: string, subject: Subject, host: Host): Promise<FileContent> {
  const change = subject.answer.changes?.find(each => each.path === path)
  // No file name contains NUL.
  if (change?.state === 'deleted' || path.includes('\0')) return { unreadable: PROBLEMS.missing }
  if (change) return contentOf(changedFile(change), subject, host)
  const root = await untouchedRoot(subject, host)
  // Unknown changes mean that there was no workspace.
  if (root === undefined) {
    changesOf(subject)
    throw workspaceGone(`it needs the content of ${quotePath(path)}`)
  }
  const content = await host.files.readContained(root, path, LARGEST_FILE_BYTES)
  if ('bytes' in content) return content
  if (content.problem === 'too-large') throw tooLarge(path)
  return { unreadable: PROBLEMS[content.problem] }
}

const PROBLEMS = {
  outside: 'is outside the workspace, behind a symbolic link, and is not read',
  missing: 'does not exist',
  'not-a-file': 'is not a regular file',
} as const

/** The text in a diff counts only if it has the hash of the file: secrets in it may have been redacted. */
function recordedContent(change: FileChange): Uint8Array | undefined {
  const text = change.after?.size === 0 ? '' : textAfter(change)
  if (text === undefined) return undefined
  const bytes = new TextEncoder().encode(text)
  return sha256(bytes) === change.after?.hash ? bytes : undefined
}

const LINK_PROBLEMS = {
  outside: 'is a symbolic link that leads out of the workspace, and is not read',
  missing: 'is a symbolic link that leads nowhere',
  'not-a-file': 'is a symbolic link that does not lead to a file',
} as const

function checkedContent(content: ContainedFile, { path, change, isLink }: FoundFile): FileContent {
  if ('bytes' in content) {
    const hash = isLink ? undefined : change?.after?.hash
    if (hash !== undefined && sha256(content.bytes) !== hash) throw changedSince(path)
    return content
  }
  if (content.problem === 'too-large') throw tooLarge(path)
  if (!isLink) throw changedSince(path)
  return { unreadable: LINK_PROBLEMS[content.problem] }
}

function tooLarge(path: string): Unjudged {
  const message = `${quotePath(path)} is larger than ${LARGEST_FILE_BYTES / 1e6} MB and cannot be compared`
  return new Unjudged('file-too-large', message)
}

function changedSince(path: string): Unjudged {
  const message = `the content of ${quotePath(path)} is unknown: the file in the workspace was changed after the agent`
  return new Unjudged('workspace-changed', message)
}
