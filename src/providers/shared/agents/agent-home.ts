import { basename, join, resolve } from 'node:path'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import type { AskContext } from '../../../model/provider.ts'

/** Where an agent stores its configuration. */
export interface ConfigLocation {
  /** The environment variable that sets the folder. */
  readonly variable: string
  /** The default folder, relative to the home folder of the user. */
  readonly usual: string
  /** The files with the user's login, which an isolated agent needs too. */
  readonly credentials: readonly string[]
}

interface HomeFields {
  readonly config_dir?: string | undefined
  readonly skills?: readonly string[] | undefined
}

/** Calls `run` with the environment variables for the configuration that a target requests. */
export async function withAgentHome<Result>(
  { config_dir, skills }: HomeFields,
  places: ConfigLocation,
  { host, home }: AskContext,
  run: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const place = config_dir ?? (skills ? 'isolated' : 'user')
  if (place === 'user') return run({})
  if (place !== 'isolated') return run({ [places.variable]: resolve(home, place) })
  const folder = await isolatedHome(places, await findSkillFolders(skills ?? [], home, host), host).catch(
    throwHomeError,
  )
  try {
    return await run({ [places.variable]: folder })
  } finally {
    // A folder that cannot be removed now is removed when the process exits.
    await host.files.remove(folder).catch(() => {})
  }
}

async function isolatedHome(places: ConfigLocation, skills: readonly string[], host: Host): Promise<string> {
  const folder = await host.files.makeTemporaryFolder()
  try {
    await copyCredentials(places, folder, host)
    for (const skill of skills) await host.files.copyFolder(skill, join(folder, 'skills', basename(skill)))
    return folder
  } catch (error) {
    await host.files.remove(folder).catch(() => {})
    throw error
  }
}

function throwHomeError(error: Error): never {
  throw new NoAnswer('target-error', `cannot create the configuration folder of the agent: ${error.message}`)
}

async function copyCredentials(
  { variable, usual, credentials }: ConfigLocation,
  to: string,
  host: Host,
): Promise<void> {
  const { [variable]: named, HOME, USERPROFILE } = host.env
  const user = HOME ?? USERPROFILE
  // Agents treat an empty variable as unset.
  const from = named || (user === undefined ? undefined : join(user, usual))
  if (from === undefined) return
  if ((await host.files.stat(from).catch(() => undefined))?.kind === 'folder')
    await host.files.copyFolder(from, to, { files: credentials })
}

/** Finds the skills of a target. Each path is a skill, or a folder of skills. */
async function findSkillFolders(skills: readonly string[], home: string, host: Host): Promise<string[]> {
  const found = await Promise.all(skills.map(written => findSkills(resolve(home, written), host)))
  return found.flat()
}

/** Reports problems with the skills of a target. */
export async function skillIssues(skills: readonly string[], home: string, host: Host): Promise<Issue[]> {
  const issues: Issue[] = []
  const names = new Map<string, string>()
  for (const [index, written] of skills.entries()) {
    const found = await findSkills(resolve(home, written), host)
    const path = ['skills', index]
    if (found.length === 0) {
      const message = `${written} is not a skill: it has no SKILL.md, and neither has a folder in it`
      issues.push({ code: 'file-missing', path, message, hint: `relative paths start at ${home}` })
    }
    for (const folder of found) {
      const name = basename(folder)
      if (names.has(name)) issues.push({ code: 'bad-target', path, message: `two skills are named ${name}` })
      names.set(name, folder)
    }
  }
  return issues
}

async function findSkills(folder: string, host: Host): Promise<string[]> {
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
