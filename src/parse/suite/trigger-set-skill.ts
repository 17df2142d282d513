import { basename, dirname, join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Files } from '../files.ts'
import { readYaml } from '../yaml/read-yaml.ts'

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
    (await skillNameIn(folder, files)) ??
    (await skillNameIn(dirname(folder), files))
  )
}

/** Reads the name from the frontmatter of a skill. */
async function skillNameIn(folder: string, files: Files): Promise<string | undefined> {
  const text = await textIn(join(folder, 'SKILL.md'), files)
  const [, frontmatter] = /^\uFEFF?---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text) ?? []
  return frontmatter === undefined ? undefined : nameIn(readYaml(frontmatter).document?.value, 'name')
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
