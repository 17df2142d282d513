import { resolve } from 'node:path'
import { type Diagnostic, warningsAsErrors } from '../../diagnostics/diagnostic.ts'
import type { Host } from '../../model/host.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { Files } from '../../parse/files.ts'
import { checkSkillFolders } from '../../parse/skills/check-skill.ts'
import { findSkillFolders } from '../../parse/skills/find-skills.ts'

export interface CheckSkillsOptions {
  /** Skills, folders of skills or plugins. */
  readonly folders: readonly string[]
  /** Whether warnings are errors. */
  readonly strict?: boolean | undefined
}

export interface CheckedSkills {
  /** Folders of the skills. */
  readonly skills: readonly string[]
  /** Folders that have no skills. */
  readonly nothing: readonly string[]
  /** Folders that cannot be read. */
  readonly closed: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Finds every problem of skills. */
export async function checkSkills({ folders, strict }: CheckSkillsOptions, host: Host): Promise<CheckedSkills> {
  const diagnostics = new Diagnostics()
  const found = await findSkillFolders(
    folders.map(folder => resolve(host.cwd, folder)),
    host,
  )
  await checkSkillFolders(found.skills, { files: new Files(host, diagnostics), diagnostics })
  const sorted = diagnostics.sorted()
  return { ...found, diagnostics: strict ? warningsAsErrors(sorted) : sorted }
}
