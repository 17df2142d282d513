import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Check } from '../../model/check.ts'
import { CHECK_LIST_KEYS } from '../../spec/check.ts'
import type { Diagnostics } from '../diagnostics.ts'
import type { Fields } from '../shape/normalize-keys.ts'
import type { SourceNode } from '../yaml/source-node.ts'

export interface CheckList {
  readonly entries: readonly unknown[]
  /** The key that the list is written under. */
  readonly key: (typeof CHECK_LIST_KEYS)[number]
  readonly at: SourceNode
}

/** Finds the list of checks in a mapping, under any of its keys. */
export function findCheckList(fields: Fields, at: SourceNode, diagnostics: Diagnostics): CheckList {
  const [key = 'assert', ...others] = CHECK_LIST_KEYS.filter(name => fields[name] !== undefined)
  for (const other of others) {
    const message = `\`${other}\` and \`${key}\` mean the same: keep one`
    diagnostics.add({ code: 'two-spellings', at: at.child(other), part: 'key', message })
  }
  const entries = fields[key]
  return { entries: Array.isArray(entries) ? entries : [], key, at: at.child(key) }
}

/** Makes the names of checks unique: the first check keeps a name, the second gets `-2`. */
export function assignUniqueNames(checks: readonly Check[]): readonly Check[] {
  if (!hasSameNames(checks)) return checks
  const given = new Set(checks.flatMap(({ written_name: name }) => name ?? []))
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return checks.map(check => {
    const base = check.written_name ?? check.type
    const isFirst = !taken.has(base) && (check.written_name !== undefined || !given.has(base))
    const name = isFirst ? base : freeName(base, taken, given, next)
    taken.add(name)
    return renameCheck(check, name)
  })
}

/** Reports names that are used twice in one list. */
export function reportSameNames({ entries, at }: CheckList, diagnostics: Diagnostics): void {
  if (entries.filter(entry => isMapping(entry) && entry['name'] !== undefined).length < 2) return
  const seen = new Set<string>()
  for (const [index, entry] of entries.entries()) {
    const name = isMapping(entry) ? entry['name'] : undefined
    if (typeof name !== 'string') continue
    if (seen.has(name)) {
      const message = `a check named ${quoteCode(name)} is already defined above`
      diagnostics.add({
        code: 'duplicate-name',
        at: at.child(index, 'name'),
        message,
        hint: 'give each check its own name',
      })
    }
    seen.add(name)
  }
}

/** Two loops are faster than a set for the few checks of most tests. */
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

/** Renamed copies, shared by the many tests that inherit a check of the suite. */
const COPIES = new WeakMap<Check, Map<string, Check>>()

function renameCheck(check: Check, name: string): Check {
  if (name === check.name) return check
  const copies = COPIES.get(check) ?? new Map<string, Check>()
  COPIES.set(check, copies)
  const copy = copies.get(name) ?? check.with({ name })
  copies.set(name, copy)
  return copy
}
