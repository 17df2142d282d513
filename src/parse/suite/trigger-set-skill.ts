import { basename, dirname, join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Files } from '../files.ts'
import { readYaml } from '../yaml/read-yaml.ts'

/** Larger files are not looked through for a name. */
const LARGEST = 10_000_000

/**
 * The skill that a trigger set is about, which the set itself does not name:
 * that of the evals beside it, that in its own name, or that of the SKILL.md in its folder or the one above.
 */
export async function findTriggerSetSkill(file: string, files: Files): Promise<string | undefined> {
  const folder = dirname(file)
  const [, prefix] = /^(.+)\.trigger-evals\.json$/.exec(basename(file)) ?? []
  const evals = join(folder, `${prefix === undefined ? '' : `${prefix}.`}evals.json`)
  return (
    nameIn(parseJson(await textIn(evals, files)), 'skill_name') ??
    prefix ??
    (await skillNameIn(folder, files)) ??
    (await skillNameIn(dirname(folder), files))
  )
}

/** The name in the frontmatter of a skill. */
async function skillNameIn(folder: string, files: Files): Promise<string | undefined> {
  const text = await textIn(join(folder, 'SKILL.md'), files)
  const [, frontmatter] = /^\uFEFF?---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s.exec(text) ?? []
  return frontmatter === undefined ? undefined : nameIn(readYaml(frontmatter).document?.value, 'name')
}

function nameIn(value: unknown, key: string): string | undefined {
  const name = isMapping(value) ? value[key] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Empty where there is no such file, or it cannot be read. */
async function textIn(path: string, files: Files): Promise<string> {
  if ((await files.stat(path))?.kind !== 'file') return ''
  const bytes = await files.host.files.read(path, LARGEST).catch(() => new Uint8Array())
  return new TextDecoder().decode(bytes)
}
