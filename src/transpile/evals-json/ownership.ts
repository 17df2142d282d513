import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import * as z from '../../lib/zod.ts'
import { evalSchema, evalsSchema, triggerSchema } from '../../spec/evals-json.ts'

const STATEMENTS = ['assertions', 'expectations']
const [TOP_KEYS, ITEM_KEYS] = [evalsSchema(), evalSchema()].map(({ shape }) => Object.keys(shape)) as [
  string[],
  string[],
]

/** Whether `assay transpile` wrote this evals.json for the same skill. */
export function isEarlierEvals(text: string, skill: string | undefined): boolean {
  const old = parseJson(text)
  if (!hasOnlyKeys(old, TOP_KEYS) || old['skill_name'] !== skill) return false
  const { evals } = old
  return (
    Array.isArray(evals) && evals.every(item => hasOnlyKeys(item, ITEM_KEYS) && STATEMENTS.some(key => key in item))
  )
}

/** Whether `assay transpile` wrote this trigger set. */
export function isEarlierTriggerSet(text: string): boolean {
  return z.array(triggerSchema()).safeParse(parseJson(text)).success
}

/** Keys that `assay transpile` never writes are the work of a person. */
function hasOnlyKeys(value: unknown, keys: readonly string[]): value is Record<string, unknown> {
  return isMapping(value) && Object.keys(value).every(key => keys.includes(key))
}
