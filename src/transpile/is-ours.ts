import * as z from 'zod'
import { isMapping } from '../lib/is-mapping.ts'
import { parseJson } from '../lib/parse-json.ts'
import { evalSchema, evalsSchema, triggerSchema } from '../spec/evals-json.ts'
import type { TranspiledFile } from './transpile.ts'

const STATEMENTS = ['assertions', 'expectations']
const [TOP_KEYS, ITEM_KEYS] = [evalsSchema, evalSchema].map(({ shape }) => Object.keys(shape)) as [string[], string[]]

/** Whether a file that is there was written by us, so that a new one may take its place: evals for the same skill; a trigger set does not say for which. */
export function isOurs(text: string, { skill, content }: TranspiledFile): boolean {
  const [old, made] = [parseJson(text), parseJson(content)]
  if (Array.isArray(made)) return z.array(triggerSchema).safeParse(old).success
  if (!hasOnly(old, TOP_KEYS) || old['skill_name'] !== skill) return false
  const { evals } = old
  return Array.isArray(evals) && evals.every(item => hasOnly(item, ITEM_KEYS) && STATEMENTS.some(key => key in item))
}

/** Keys that we never write are somebody's work. */
function hasOnly(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return isMapping(value) && Object.keys(value).every(key => keys.includes(key))
}
