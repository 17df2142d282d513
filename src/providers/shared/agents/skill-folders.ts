import { basename, join } from 'node:path'
import type { Host } from '../../../model/host.ts'
import { readSkillName, SKILL_FILE } from '../../../model/skill-name.ts'

/** Finds the skills at a path: a skill, or a folder of skills. */
export async function findSkills(folder: string, host: Host): Promise<string[]> {
  if (await isSkill(folder, host)) return [folder]
  const names = await host.files.listNames(folder).catch(() => [])
  const folders = names.map(name => join(folder, name))
  const skills = await Promise.all(folders.map(each => isSkill(each, host)))
  return folders.filter((_, index) => skills[index])
}

async function isSkill(folder: string, host: Host): Promise<boolean> {
  const stat = await host.files.stat(join(folder, SKILL_FILE)).catch(() => undefined)
  return stat?.kind === 'file'
}

/** The names of a skill: its folder, and the `name` in its SKILL.md. */
export async function namesOfSkill(folder: string, host: Host): Promise<string[]> {
  const name = await readSkillName(folder, host)
  return [basename(folder), ...(name === undefined ? [] : [name])]
}
