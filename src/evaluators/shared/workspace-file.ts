import { basename, dirname, join, posix, resolve, win32 } from 'node:path'
import * as z from 'zod'
import { isBelow } from '../../lib/paths.ts'
import { singleLine } from '../../lib/text/quote.ts'
import type { Host } from '../../model/host.ts'

/** The path of one file in a workspace. */
export const workspacePath = z
  .string()
  .min(1)
  .regex(
    /^(?![/\\]|[A-Za-z]:|\.\.(?:[/\\]|$))(?!.*[/\\]\.\.(?:[/\\]|$))/s,
    'is not inside the workspace: write a relative path without `..`',
  )
  .regex(/^[^*]*$/s, 'is not the path of one file: `*` is not allowed here')
  .describe('Path of a file in the workspace of the target.')

/** Why the text of a file cannot be given. */
export interface FileProblem {
  /** `gone`: there is no workspace any more. `absent`: there is no such file of text in it. */
  readonly kind: 'gone' | 'absent' | 'too-large'
  readonly message: string
}

/** Larger files are not read. */
const LARGEST_BYTES = 10 * 1024 * 1024

/** Reads a file of a workspace as text. Never follows a link out of the workspace, and never waits for a pipe. */
export async function readWorkspaceFile(workspace: string, path: string, host: Host): Promise<string | FileProblem> {
  const root = await realWorkspace(workspace, host)
  if (root === undefined) return { kind: 'gone', message: 'the workspace no longer exists' }
  const absent = (what: string): FileProblem => ({ kind: 'absent', message: `the file ${singleLine(path)} ${what}` })
  const wanted = resolve(root, path)
  if (posix.isAbsolute(path) || win32.isAbsolute(path) || !isBelow(wanted, root))
    return absent('is outside the workspace')
  // No file name contains NUL.
  const real = path.includes('\0') ? undefined : await host.files.realPath(wanted).catch(ifLoop)
  if (real === undefined) return absent('does not exist')
  if (!isBelow(real, root)) return absent('is a link to outside the workspace')
  const stat = await host.files.stat(real)
  if (stat?.kind !== 'file') return absent(stat === undefined ? 'does not exist' : `is ${KIND_WORDS[stat.kind]}`)
  const bytes = await host.files.read(real, LARGEST_BYTES + 1)
  // A link may have been replaced in the meantime.
  if ((await host.files.realPath(wanted)) !== real) return absent('changed while it was read')
  if (bytes.length > LARGEST_BYTES) {
    return { kind: 'too-large', message: `the file ${singleLine(path)} has more than 10 MB` }
  }
  return decode(bytes) ?? absent('is not text in UTF-8')
}

const KIND_WORDS = { folder: 'a folder', other: 'not a regular file' } as const

/** A link that leads to itself leads nowhere. */
function ifLoop(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ELOOP') throw error
}

/** Resolves the links above the workspace. A workspace that is itself a link has been replaced. */
async function realWorkspace(workspace: string, host: Host): Promise<string | undefined> {
  const [real, above] = await Promise.all([host.files.realPath(workspace), host.files.realPath(dirname(workspace))])
  return above !== undefined && real === join(above, basename(workspace)) ? real : undefined
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
