import { basename, join, resolve } from 'node:path'
import { canonicalJson } from '../../../lib/json/stringify.ts'
import { sha256 } from '../../../lib/sha256.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import type { Host } from '../../../model/host.ts'
import { SKILL_FILE } from '../../../model/skill-name.ts'
import { UserError } from '../../../model/user-error.ts'
import { readSkillText, replaceDescription, type SkillText } from '../../../parse/skills/skill-description.ts'

/** A skill that is tuned. */
export interface SkillSource extends SkillText {
  /** Absolute path of its folder. */
  readonly folder: string
  /** Absolute path of its SKILL.md, with links resolved. */
  readonly file: string
  readonly name: string
  readonly text: string
  /** Hash of its SKILL.md. */
  readonly sha256: string
}

/** Reads a skill. Throws if it has no description that can be replaced. */
export async function readSkill(named: string, host: Host): Promise<SkillSource> {
  const folder = resolve(host.cwd, named)
  const file = (await host.files.realPath(join(folder, SKILL_FILE)).catch(() => undefined)) ?? ''
  const bytes = file === '' ? undefined : await host.files.read(file).catch(() => undefined)
  if (!bytes) throw new UserError(`${named} is not a skill: it has no SKILL.md.`, 'Name the folder of a skill.')
  const text = decode(bytes, file)
  const read = readSkillText(text)
  if (!read || replaceDescription(text, read.description.replace(/\s+/g, ' ')) === undefined)
    throw new UserError(
      `${join(named, SKILL_FILE)} has no \`description\` in its frontmatter that can be replaced.`,
      'Write it as `description: …` between two lines of `---`, without anchors and aliases.',
    )
  const name = read.name ?? basename(folder)
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name))
    throw new UserError(
      `The name of the skill is ${quoteCode(name)}, which cannot be the name of a folder.`,
      'Use lower-case letters, digits and hyphens.',
    )
  return { ...read, folder, file, name, text, sha256: sha256(bytes) }
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new UserError(`${file} is not valid UTF-8.`)
  }
}

/** A hash of everything in the folder of a skill. */
export async function hashSkill({ folder }: SkillSource, host: Host): Promise<string> {
  const { files } = await host.files.findBelow(folder, () => true)
  const hashes: [string, string][] = []
  for (const path of files)
    hashes.push([path.slice(folder.length), await host.files.read(path).then(sha256, () => 'unreadable')])
  return sha256(canonicalJson(hashes))
}

/** Copies a skill with another description, all at once: a copy that exists is complete. */
export async function copySkill(
  from: { readonly folder: string; readonly text: string },
  to: string,
  description: string | undefined,
  host: Host,
): Promise<void> {
  const { files } = host
  if ((await files.stat(to).catch(() => undefined)) !== undefined) return
  const text = description === undefined ? from.text : replaceDescription(from.text, description)
  if (text === undefined)
    throw new UserError(`The description ${quoteCode(description)} cannot be written to SKILL.md.`)
  const part = `${to}.part`
  await files.remove(part)
  await files.copyFolder(from.folder, part)
  await files.write(join(part, SKILL_FILE), text)
  await files.rename(part, to)
}
