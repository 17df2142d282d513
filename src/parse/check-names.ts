import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import type { Check } from '../model/check.ts'
import type { CheckList } from './check-list.ts'
import type { Mistakes } from './mistakes.ts'

/** The checks with names of their own: a name that was given stays with the first who has it, a second one gets `-2`. */
export function uniqueNames(checks: readonly Check[]): readonly Check[] {
  if (!hasSameNames(checks)) return checks
  const given = new Set(checks.flatMap(({ written_name: name }) => name ?? []))
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return checks.map(check => {
    const base = check.written_name ?? check.type
    const isFirst = !taken.has(base) && (check.written_name !== undefined || !given.has(base))
    const name = isFirst ? base : freeName(base, taken, given, next)
    taken.add(name)
    return renamed(check, name)
  })
}

/** The same name given twice in one list. */
export function reportSameNames({ entries, at }: CheckList, mistakes: Mistakes): void {
  if (entries.length < 2) return
  const seen = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const name = isMapping(entry) ? entry['name'] : undefined
    if (typeof name !== 'string') continue
    if (seen.has(name)) {
      const message = `a check named ${shown(name)} already exists above`
      mistakes.add({ code: 'duplicate-name', at: at.child(index, 'name'), message })
    }
    seen.add(name)
  }
}

/** For a few checks, as nearly every test has, two loops are quicker than a set. */
function hasSameNames(checks: readonly Check[]): boolean {
  if (checks.length > FEW) return new Set(checks.map(({ name }) => name)).size < checks.length
  for (let index = 1; index < checks.length; index++) {
    for (let earlier = 0; earlier < index; earlier++) {
      if (checks[index]?.name === checks[earlier]?.name) return true
    }
  }
  return false
}

const FEW = 16

function freeName(
  base: string,
  taken: ReadonlySet<string>,
  given: ReadonlySet<string>,
  next: Map<string, number>,
): string {
  let number = next.get(base) ?? 2
  while (taken.has(`${base}-${number}`) || given.has(`${base}-${number}`)) number++
  next.set(base, number + 1)
  return `${base}-${number}`
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
