import type { Check } from '../evaluators/evaluator.ts'
import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import type { CheckList } from './check-list.ts'
import type { Mistakes } from './mistakes.ts'

/** The checks with names of their own: names that were given stay with the first who has them, a second one gets `-2`. */
export function uniqueNames(checks: readonly Check[]): readonly Check[] {
  if (!hasSameNames(checks)) return checks
  const taken = new Set<string>()
  const given = new Set(checks.flatMap(({ written_name: name }) => name ?? []))
  return checks.map(check => {
    const mine = check.written_name === check.name && !taken.has(check.name)
    const name = mine ? check.name : freeName(check.name, taken, given)
    taken.add(name)
    return renamed(check, name)
  })
}

/** The same name given twice in one list. */
export function reportSameNames({ entries, at }: CheckList, mistakes: Mistakes): void {
  if (entries.length < 2) return
  const names = entries.map(entry => (isMapping(entry) ? entry['name'] : undefined))
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string' || names.indexOf(name) === index) continue
    mistakes.add({
      code: 'duplicate-name',
      at: at.child(index, 'name'),
      message: `a check named ${shown(name)} stands above`,
    })
  }
}

/** Written as two loops: this runs for every test of a suite, and nearly always finds nothing. */
function hasSameNames(checks: readonly Check[]): boolean {
  for (let index = 1; index < checks.length; index++) {
    for (let earlier = 0; earlier < index; earlier++) {
      if (checks[index]?.name === checks[earlier]?.name) return true
    }
  }
  return false
}

function freeName(name: string, taken: ReadonlySet<string>, given: ReadonlySet<string>): string {
  let candidate = name
  for (let number = 2; taken.has(candidate) || given.has(candidate); number++) candidate = `${name}-${number}`
  return candidate
}

/** Copies under other names. A check of the suite gets the same one in thousands of tests. */
const COPIES = new WeakMap<Check, Map<string, Check>>()

function renamed(check: Check, name: string): Check {
  if (name === check.name) return check
  const copies = COPIES.get(check) ?? new Map<string, Check>()
  COPIES.set(check, copies)
  const copy = copies.get(name) ?? Object.freeze({ ...check, name })
  copies.set(name, copy)
  return copy
}
