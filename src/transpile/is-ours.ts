import { isMapping } from '../lib/is-mapping.ts'
import { parseJson } from '../lib/parse-json.ts'
import type { TranspiledFile } from './transpile.ts'

/** Whether a file that is there was written for the same skill, so that a new one may take its place. */
export function isOurs(text: string, { skill, content }: TranspiledFile): boolean {
  const [old, made] = [parseJson(text), parseJson(content)]
  if (Array.isArray(made)) return Array.isArray(old) && old.every(isQuery)
  return isMapping(old) && Array.isArray(old['evals']) && old['skill_name'] === skill
}

function isQuery(item: unknown): boolean {
  return isMapping(item) && ['id', 'query', 'should_trigger'].every(key => Object.hasOwn(item, key))
}
