import { basename, join, resolve } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'

/** The folders of skills that a target names: each a skill itself, or a folder of them. */
export async function skillFolders(skills: readonly string[], home: string, host: Host): Promise<string[]> {
  const found = await Promise.all(skills.map(written => skillsAt(resolve(home, written), host)))
  return found.flat()
}

/** What is wrong with the skills of a target. */
export async function skillIssues(skills: readonly string[], home: string, host: Host): Promise<Issue[]> {
  const issues: Issue[] = []
  const names = new Map<string, string>()
  for (const [index, written] of skills.entries()) {
    const found = await skillsAt(resolve(home, written), host)
    const path = ['skills', index]
    if (found.length === 0) {
      const message = `${written} is not a skill: there is no SKILL.md in it, nor in a folder of it`
      issues.push({ code: 'file-missing', path, message, hint: `it is looked for in ${home}` })
    }
    for (const folder of found) {
      const name = basename(folder)
      if (names.has(name)) issues.push({ code: 'bad-target', path, message: `there are two skills named ${name}` })
      names.set(name, folder)
    }
  }
  return issues
}

async function skillsAt(folder: string, host: Host): Promise<string[]> {
  if (await isSkill(folder, host)) return [folder]
  const names = await host.files.listNames(folder).catch(() => [])
  const folders = names.map(name => join(folder, name))
  const skills = await Promise.all(folders.map(each => isSkill(each, host)))
  return folders.filter((_, index) => skills[index])
}

async function isSkill(folder: string, host: Host): Promise<boolean> {
  const stat = await host.files.stat(join(folder, 'SKILL.md')).catch(() => undefined)
  return stat?.kind === 'file'
}
