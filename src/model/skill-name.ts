import { join } from 'node:path'
import { CORE_SCHEMA, load } from 'js-yaml'
import { isMapping } from '../lib/objects.ts'
import { frontmatterOf } from '../lib/text/frontmatter.ts'
import type { Host } from './host.ts'

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md'

/** Maximum number of bytes that are searched for a name. */
const LARGEST = 10_000_000

/** Reads the name of the skill in a folder; undefined if its SKILL.md is missing, unreadable or has no name. */
export async function readSkillName(folder: string, { files }: Pick<Host, 'files'>): Promise<string | undefined> {
  const path = join(folder, SKILL_FILE)
  const stat = await files.stat(path).catch(() => undefined)
  if (stat?.kind !== 'file') return undefined
  const bytes = await files.read(path, LARGEST).catch(() => new Uint8Array())
  return skillNameIn(new TextDecoder().decode(bytes))
}

/** The `name` in the frontmatter of a SKILL.md. */
function skillNameIn(text: string): string | undefined {
  const { yaml } = frontmatterOf(text) ?? {}
  if (yaml === undefined) return undefined
  const name = nameInYaml(yaml)
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined
}

/** Agents accept frontmatter that is not valid YAML, often because of a colon in the description. */
function nameInYaml(yaml: string): unknown {
  try {
    const fields = load(yaml.replace(/^\uFEFF/, ''), { schema: CORE_SCHEMA })
    return isMapping(fields) ? fields['name'] : undefined
  } catch {
    return /^name:[ \t]*(["']?)([\p{L}\p{N}][\p{L}\p{N}._-]*)\1[ \t\r]*$/mu.exec(yaml)?.[2]
  }
}
