import { join, resolve } from 'node:path'
import { sha256 } from '../../lib/sha256.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { AlignmentResult, AlignmentSession } from '../../model/alignment.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { AlignmentFolder, alignmentsFolder } from './session-folder.ts'

/** A prompt that was written to its file. */
export interface AppliedAlignment {
  /** Absolute path of the prompt file. */
  readonly file: string
  readonly before: string
  readonly after: string
  /** Whether the file had the text already, so that nothing was written. */
  readonly is_unchanged: boolean
}

/** Writes the text that the latest finished session offered. Throws unless it is a prompt file that was not edited since. */
export async function applyAlignment(check: string | undefined, host: Host): Promise<AppliedAlignment> {
  const { root, ...folders } = await findProjectFolders(undefined, host)
  const { session, result } = await latestSession(check, alignmentsFolder(folders), host)
  const { candidate, status } = result
  const { wording } = candidate ?? {}
  if (status !== 'offered' || !wording)
    throw new UserError(`The latest session of the check ${quoteCode(session.check)} offered no text (${status}).`)
  if (session.file === undefined || wording.kind !== 'prompt')
    throw new UserError(
      `The text of the check ${quoteCode(session.check)} is not in a file of its own: --apply replaces prompt files only.`,
      'Copy the text from .assay/calibration/proposals to the check in the suite, then run `assay grade` and `assay calibrate`.',
    )
  const file = resolve(root, session.file)
  const bytes = await host.files.read(file).catch((error: Error) => {
    throw new UserError(`Cannot read ${file}: ${error.message}`)
  })
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const after = wording.text.endsWith('\n') ? wording.text : `${wording.text}\n`
  const applied = { file, before, after }
  if (before === after) return { ...applied, is_unchanged: true }
  if (sha256(bytes) !== session.file_sha256)
    throw new UserError(
      `${session.file} was edited since it was measured: nothing was written.`,
      'Restore it, or run `assay calibrate --align` again: what was measured is not what it is now.',
    )
  await host.files.write(file, after).catch((error: Error) => {
    throw new UserError(`Cannot write ${file}: ${error.message}`)
  })
  return { ...applied, is_unchanged: false }
}

interface Finished {
  readonly session: AlignmentSession
  readonly result: AlignmentResult
}

async function latestSession(check: string | undefined, place: string, host: Host): Promise<Finished> {
  let latest: Finished | undefined
  for (const name of await host.files.listNames(place).catch(() => [])) {
    const folder = new AlignmentFolder(join(place, name), host)
    const session = await folder.session()
    if (!session || (check !== undefined && session.check !== check)) continue
    const result = await folder.result()
    if (result && (!latest || result.finished > latest.result.finished)) latest = { session, result }
  }
  if (latest) return latest
  const what = check === undefined ? '' : ` of the check ${quoteCode(check)}`
  throw new UserError(`No finished session${what}: nothing to apply.`, 'Run `assay calibrate --align` first.')
}
