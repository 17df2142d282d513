import { join } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { TuningResult, TuningSession } from '../../../model/tuning.ts'
import { UserError } from '../../../model/user-error.ts'
import { replaceDescription } from '../../../parse/skills/skill-description.ts'
import { findProjectFolders } from '../../../record/project-folders.ts'
import { recordedPath } from '../../../record/recorded-path.ts'
import { SessionFolder, tuningFolder } from './session-folder.ts'
import { readSkill, type SkillSource } from './skill-source.ts'

/** A description that was written to a SKILL.md. */
export interface AppliedTuning {
  /** Absolute path of the SKILL.md. */
  readonly file: string
  readonly before: string
  readonly after: string
  /** Whether the SKILL.md had the description already, so that nothing was written. */
  readonly is_unchanged: boolean
}

/** Writes the description that the latest finished session accepted. Throws if it accepted no description, or SKILL.md was edited since. */
export async function applyTuning(named: string, host: Host): Promise<AppliedTuning> {
  const skill = await readSkill(named, host)
  const { session, result } = await latestSession(skill, named, host)
  const { candidate, status } = result
  if (status !== 'accepted' || !candidate)
    throw new UserError(
      `The latest session of ${skill.name} accepted no description (${status}): nothing to apply.`,
      `\`assay skill tune ${named}\` shows its result.`,
    )
  const after = candidate.description
  const applied = { file: skill.file, before: session.description, after }
  if (skill.description === after) return { ...applied, is_unchanged: true }
  if (skill.sha256 !== session.skill_sha256)
    throw new UserError(
      `${join(named, 'SKILL.md')} was edited since its description was measured: nothing was written.`,
      'Restore it, or tune the skill again: what was measured is not what it is now.',
    )
  const text = replaceDescription(skill.text, after)
  if (text === undefined) throw new UserError(`The description cannot be written to ${skill.file}.`)
  await host.files.write(skill.file, text).catch((error: Error) => {
    throw new UserError(`Cannot write ${skill.file}: ${error.message}`)
  })
  return { ...applied, is_unchanged: false }
}

interface Finished {
  readonly session: TuningSession
  readonly result: TuningResult
}

async function latestSession(skill: SkillSource, named: string, host: Host): Promise<Finished> {
  const folders = await findProjectFolders(undefined, host)
  const place = tuningFolder(folders)
  const path = recordedPath(skill.folder, folders.root)
  let latest: Finished | undefined
  for (const name of await host.files.listNames(place)) {
    const folder = new SessionFolder(join(place, name), host)
    const session = await folder.session()
    if (session?.folder !== path) continue
    const result = await folder.result()
    if (result && (!latest || result.finished > latest.result.finished)) latest = { session, result }
  }
  if (latest) return latest
  throw new UserError(
    `No finished tuning session of ${skill.name}: nothing to apply.`,
    `Tune it first: \`assay skill tune ${named} --queries FILE --target NAME\`.`,
  )
}
