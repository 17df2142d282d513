import { basename, dirname, join, relative, sep } from 'node:path'
import type { Host } from '../../model/host.ts'
import { SKILL_FILE } from '../../model/skill-name.ts'

export interface FoundSkills {
  /** Folders of skills, without duplicates, in the order of the arguments. */
  readonly skills: readonly string[]
  /** Arguments without skills. */
  readonly nothing: readonly string[]
  /** Folders that cannot be read. */
  readonly closed: readonly string[]
}

/** Hidden folders in which agents look for skills. */
const HIDDEN_FOLDERS = ['.claude/skills', '.codex/skills', '.agents/skills']

/** Finds the skills in folders and below them. Each path is absolute. */
export async function findSkillFolders(paths: readonly string[], host: Host): Promise<FoundSkills> {
  const skills = new Map<string, string>()
  const nothing: string[] = []
  const closed: string[] = []
  for (const path of paths) {
    const found = await skillsAt(path, host)
    if (found.skills.length === 0) nothing.push(path)
    closed.push(...found.closed)
    for (const folder of found.skills) {
      // Several links may lead to one skill.
      const real = (await host.files.realPath(folder).catch(() => undefined)) ?? folder
      if (!skills.has(real)) skills.set(real, folder)
    }
  }
  return { skills: [...skills.values()], nothing, closed }
}

async function skillsAt(path: string, host: Host): Promise<Pick<FoundSkills, 'skills' | 'closed'>> {
  const stat = await host.files.stat(path).catch(() => undefined)
  if (stat?.kind === 'file' && basename(path) === SKILL_FILE) return { skills: [dirname(path)], closed: [] }
  if (stat?.kind !== 'folder') return { skills: [], closed: [] }
  const starts = [path, ...HIDDEN_FOLDERS.map(folder => join(path, folder))]
  const found = await Promise.all(starts.map(start => foldersBelow(start, host)))
  const all = new Set([...(await namedSkills(path, host)), ...found.flatMap(({ folders }) => folders)])
  const skills = [...all].filter(folder => !isPartOfSkill(folder, all)).sort()
  return { skills, closed: found.flatMap(({ closed }) => closed) }
}

async function foldersBelow(start: string, host: Host): Promise<{ folders: string[]; closed: readonly string[] }> {
  const stat = await host.files.stat(start).catch(() => undefined)
  if (stat?.kind !== 'folder') return { folders: [], closed: [] }
  const { files, closed } = await host.files.findBelow(start, name => name === SKILL_FILE)
  return { folders: files.map(file => dirname(file)), closed }
}

/** Folders with a SKILL.md of another kind or case, where reading reports the problem. */
async function namedSkills(path: string, host: Host): Promise<string[]> {
  const candidates = [path, ...(await subfolders(path, host)), ...(await subfolders(join(path, 'skills'), host))]
  const isNamed = await Promise.all(
    candidates.map(async folder => {
      const names: readonly string[] = await host.files.listNames(folder).catch(() => [])
      return names.includes(SKILL_FILE) || (folder === path && names.some(isOtherCase))
    }),
  )
  return candidates.filter((_, index) => isNamed[index])
}

function isOtherCase(name: string): boolean {
  return name.toUpperCase() === SKILL_FILE.toUpperCase()
}

async function subfolders(folder: string, host: Host): Promise<string[]> {
  const entries = await host.files.listEntries(folder).catch(() => [])
  return entries
    .filter(({ name, kind }) => kind === 'folder' && !name.startsWith('.') && name !== 'node_modules')
    .map(({ name }) => join(folder, name))
}

/** Whether a folder belongs to a skill above it, such as a template in its `assets`. Its `skills` are skills of a plugin. */
function isPartOfSkill(folder: string, all: ReadonlySet<string>): boolean {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above))
    if (all.has(above)) return relative(above, folder).split(sep)[0] !== 'skills'
  return false
}

/** Folders of the other skills in the folder of a skill. */
export async function neighboursOf(folder: string, host: Host): Promise<string[]> {
  const others = (await subfolders(dirname(folder), host)).filter(other => other !== folder)
  const stats = await Promise.all(others.map(other => host.files.stat(join(other, SKILL_FILE)).catch(() => undefined)))
  return others.filter((_, index) => stats[index]?.kind === 'file')
}
