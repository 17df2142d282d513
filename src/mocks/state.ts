import { isNestedWithin } from '../lib/objects.ts'
import { DEEPEST_ANSWER } from '../model/answer-limits.ts'
import { asText, formatKeys, renderValue, resolveKeys, type Scope, ToolError, valueAtKeys } from './render.ts'
import { parseStatePath } from './template.ts'

/** A change of a state: the keys that lead to a value, and the value. */
export interface StateChange {
  readonly keys: readonly (string | number)[]
  readonly value: unknown
}

type State = Record<string, unknown>

/** Makes the changes of a call in a copy of the state. Throws `ToolError` if one of them is not possible. */
export function changeState(
  set: Readonly<Record<string, unknown>>,
  scope: Scope & { readonly state: Readonly<State> },
): { readonly state: State; readonly changes: readonly StateChange[] } {
  const state = structuredClone(scope.state)
  const changes = Object.entries(set).map(([path, written]) => {
    const now = { ...scope, state }
    const keys = resolveKeys(parseStatePath(path), now)
    // A copy: the state never contains itself.
    const value = structuredClone(renderValue(written, now))
    asText(value)
    const parent = valueAtKeys(state, keys.slice(0, -1), 'state')
    const change = { keys: keys.map(({ key }) => key), value }
    if (!canHave(parent, change.keys.at(-1))) throw new ToolError(`${formatKeys('state', keys)} cannot be set`)
    applyChange(state, change)
    return change
  })
  if (!isNestedWithin(state, DEEPEST_ANSWER))
    throw new ToolError(`the state is nested more than ${DEEPEST_ANSWER} levels deep`)
  return { state, changes }
}

/** Whether a value can have a key: a mapping any, a list the index of an item or the next one. */
function canHave(parent: unknown, key: string | number | undefined): boolean {
  if (typeof parent !== 'object' || parent === null || key === undefined) return false
  if (!Array.isArray(parent)) return true
  const index = typeof key === 'number' ? key : /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : -1
  return Number.isInteger(index) && index >= 0 && index <= parent.length
}

/** Makes a change in a state. */
export function applyChange(state: State, { keys, value }: StateChange): void {
  let parent: Record<string | number, unknown> = state
  for (const key of keys.slice(0, -1)) parent = parent[key] as typeof parent
  // An own property, also under the name of an inherited one.
  const [key = ''] = keys.slice(-1)
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
}
