import { basename, dirname, join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import { readSkillName } from '../../model/skill-name.ts'
import type { Files } from '../files.ts'

/** Maximum number of bytes that are searched for a name. */
const LARGEST = 10_000_000

/**
 * Finds the skill of a trigger set, which the set itself does not name: in the evals beside it, in its file name,
 * or in the SKILL.md of its folder or the folder above.
 */
export async function findTriggerSetSkill(file: string, files: Files): Promise<string | undefined> {
  const folder = dirname(file)
  const [, prefix] = /^(.+)\.(?:trigger-evals|eval_queries)\.json$/.exec(basename(file)) ?? []
  const evals = join(folder, `${prefix === undefined ? '' : `${prefix}.`}evals.json`)
  return (
    nameIn(parseJson(await textIn(evals, files)), 'skill_name') ??
    prefix ??
    (await readSkillName(folder, files.host)) ??
    (await readSkillName(dirname(folder), files.host))
  )
}

function nameIn(value: unknown, key: string): string | undefined {
  const name = isMapping(value) ? value[key] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Reads a text; empty if the file is missing or unreadable. */
async function textIn(path: string, files: Files): Promise<string> {
  if ((await files.stat(path))?.kind !== 'file') return ''
  const bytes = await files.host.files.read(path, LARGEST).catch(() => new Uint8Array())
  return new TextDecoder().decode(bytes)
}
