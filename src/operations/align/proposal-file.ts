import { join } from 'node:path'
import { dump } from 'js-yaml'
import type { AlignmentResult } from '../../model/alignment.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import type { Wording, WrittenWording } from '../../model/wording.ts'
import type { AlignedCheck } from './choose-check.ts'
import type { PreparedAlignment } from './prepare-alignment.ts'

/** Writes the offered text to `.assay/calibration/proposals`, and returns the path. */
export async function writeProposal(
  { session, grading, aligned }: PreparedAlignment,
  { candidate }: Pick<AlignmentResult, 'candidate'>,
  host: Host,
): Promise<string> {
  if (!candidate) throw new RangeError('Nothing is offered.')
  const { wording } = candidate
  const name = session.check.replace(/[^\p{L}\p{N}._-]/gu, '-').replace(/^\.+/, '-')
  const file = `${name.slice(0, 100)}.${wording.kind === 'prompt' ? 'md' : 'yaml'}`
  const path = join(grading.folders.settings_folder, 'calibration', 'proposals', file)
  await host.files.write(path, sourceOf(wordedWith(wording, aligned))).catch((error: Error) => {
    throw new UserError(`Cannot write ${path}: ${error.message}`)
  })
  return path
}

/** The check as it would be written with another wording. */
export function wordedWith(wording: Wording, { check, written }: AlignedCheck): WrittenWording {
  const replaced = check.evaluator.wording?.replace(check, wording)
  return (replaced && check.evaluator.wording?.of(replaced)) ?? written
}

/** A wording as text: the prompt, or the key of the check with its items as YAML. */
export function sourceOf({ wording, key, value }: WrittenWording): string {
  if (wording.kind === 'prompt') return wording.text.endsWith('\n') ? wording.text : `${wording.text}\n`
  return dump({ [key]: value }, { lineWidth: 120, noRefs: true })
}
