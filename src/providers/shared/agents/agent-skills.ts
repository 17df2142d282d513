import { basename, join, resolve } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { Issue } from '../../../model/issue.ts'
import type { SkillCopy, TargetFolders } from '../../../model/provider.ts'
import { findRepositoryRoot, foldersUpTo } from '../../../model/repository-root.ts'
import { EMPTY_WORKSPACE } from '../../../model/workspace.ts'
import { type AgentConfig, programFolder } from '../programs/program-fields.ts'
import { type PluginConfig, pluginSkills } from './agent-plugins.ts'
import { findSkills, namesOfSkill } from './skill-folders.ts'

/** The configuration folder of an agent: `isolated`, `user`, or a path. */
export function configFolder({ config_dir, skills, plugins, sandbox }: ConfigFields): string {
  return config_dir ?? (skills || plugins || sandbox ? 'isolated' : 'user')
}

/** The fields that decide which configuration an agent has. */
export type ConfigFields = Pick<AgentConfig, 'config_dir' | 'skills' | 'sandbox'> & PluginConfig

/** Arguments of agents that add skills from elsewhere. */
const ADDS_SKILLS = /^--(plugin-dir|add-dir)\b/

/**
 * Names of all skills that an agent has besides those that it brings itself: those of the target and its plugins, those
 * of the folder in which it works, and those that tests add. Undefined if they cannot be known, such as those in the
 * configuration of the user.
 */
export async function knownSkills(
  config: AgentConfig & PluginConfig,
  folders: TargetFolders,
  host: Host,
): Promise<readonly string[] | undefined> {
  const { skills = [], plugins = [], args = [] } = config
  const { plugins: added = [], add_dirs = [] } = folders.added ?? {}
  if (configFolder(config) !== 'isolated' || args.some(arg => ADDS_SKILLS.test(arg))) return undefined
  const found = [
    ...(await findSkillFolders(skills, folders.home, host)),
    ...(await findProjectSkills(config, folders, host)),
    ...(await findIn(add_dirs, host)),
  ]
  const names = await Promise.all(found.map(folder => namesOfSkill(folder, host)))
  const isWithout = config.plugins?.length === 0
  const loaded = [...plugins.map(folder => resolve(folders.home, folder)), ...(isWithout ? [] : added)]
  return [...new Set([...names.flat(), ...(await pluginSkills(loaded, host))])]
}

/** Folders of a project in which agents look for skills. The last one is also a folder of the user. */
const USER_SKILLS = '.agents/skills'
const PROJECT_SKILLS = ['.claude/skills', '.codex/skills', USER_SKILLS]

/** Finds the skills in the folder in which an agent works, above it up to its workspace or repository, and of the user. */
async function findProjectSkills(config: AgentConfig, folders: TargetFolders, host: Host): Promise<string[]> {
  const { HOME = host.env['USERPROFILE'] } = host.env
  // A sandbox has another home folder.
  const own = HOME && !config.sandbox ? await findSkills(join(HOME, USER_SKILLS), host) : []
  if (config.workspace === EMPTY_WORKSPACE) return own
  const folder = programFolder(config, folders)
  const root =
    config.workspace === undefined ? await findRepositoryRoot(folder, host) : resolve(folders.home, config.workspace)
  return [...(await findIn(foldersUpTo(root, folder), host)), ...own]
}

/** Finds the skills of projects in these folders. */
async function findIn(folders: readonly string[], host: Host): Promise<string[]> {
  const places = folders.flatMap(folder => PROJECT_SKILLS.map(skills => join(folder, skills)))
  const found = await Promise.all(places.map(place => findSkills(place, host)))
  return found.flat()
}

/** Finds the skills of a target. Each path is a skill, or a folder of skills. */
export async function findSkillFolders(skills: readonly string[], home: string, host: Host): Promise<string[]> {
  const found = await Promise.all(skills.map(written => findSkills(resolve(home, written), host)))
  return found.flat()
}

/**
 * The fields of a target with a copy of a skill besides its other skills. An agent without a folder of its own works in
 * an empty one: in the folder of the suite it would find the skill itself, and the queries.
 */
export async function tuningFields(
  { skills = [], workspace, cwd }: AgentConfig,
  tuned: SkillCopy,
  home: string,
  host: Host,
): Promise<Partial<AgentConfig>> {
  const original = await host.files.realPath(tuned.skill)
  const others: string[] = []
  for (const folder of await findSkillFolders(skills, home, host))
    if ((await host.files.realPath(folder)) !== original) others.push(folder)
  const place = workspace === undefined && cwd === undefined ? { workspace: tuned.workspace } : {}
  return { skills: [tuned.copy, ...others], stop_at: 'first_call', ...place }
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
