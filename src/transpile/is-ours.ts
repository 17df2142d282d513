import { isMapping } from '../lib/is-mapping.ts'
import { parseJson } from '../lib/parse-json.ts'
import type { TranspiledFile } from './transpile.ts'

const TOP_KEYS = ['skill_name', 'runs_per_query', 'trigger_threshold', 'evals']
const STATEMENTS = ['assertions', 'expectations']
const ITEM_KEYS = ['id', 'prompt', 'expected_output', 'files', 'should_trigger', ...STATEMENTS, 'source_id']
const QUERY_KEYS = ['query', 'should_trigger', 'id', 'source_id']

/** Whether a file that is there was written for the same skill, and by us, so that a new one may take its place. */
export function isOurs(text: string, { skill, content }: TranspiledFile): boolean {
  const [old, made] = [parseJson(text), parseJson(content)]
  if (Array.isArray(made)) return Array.isArray(old) && old.every(item => hasOnly(item, QUERY_KEYS) && 'id' in item)
  if (!hasOnly(old, TOP_KEYS) || old['skill_name'] !== skill) return false
  const { evals } = old
  return Array.isArray(evals) && evals.every(item => hasOnly(item, ITEM_KEYS) && STATEMENTS.some(key => key in item))
}

/** Keys that we never write are somebody's work. */
function hasOnly(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return isMapping(value) && Object.keys(value).every(key => keys.includes(key))
}
