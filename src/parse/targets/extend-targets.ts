import { lazily } from '../../lib/lazily.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode, truncateForMessage } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import * as z from '../../lib/zod.ts'
import { targetFields } from '../../model/target.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SourceNode } from '../yaml/source-node.ts'

/** A target as written in the file. */
export interface WrittenTarget {
  readonly raw: unknown
  readonly name: string | undefined
  readonly at: SourceNode
  /** Folder that relative paths start from. */
  readonly home: string
}

/** A target with the keys of the target that it extends. Each key is located where it is written. */
export interface RawTarget extends WrittenTarget {
  readonly extends: string | undefined
  /** Whether keys are missing, because a target that it extends cannot be resolved. */
  readonly is_incomplete: boolean
  /** Inherited keys that are written for another provider. */
  readonly of_other_provider: readonly string[]
  /** The target that this one is a copy of, without a field. */
  readonly ablates?: string | undefined
}

/** Reports why a target cannot be extended. */
type Report = (diagnostics: Diagnostics) => void

interface ExtendedTarget extends RawTarget {
  /** Problems of the target and of those that it extends. */
  readonly problems: readonly Report[]
}

/** Gives each target the keys of the target that it extends; reports those that cannot be resolved. */
export function extendTargets(
  written: readonly WrittenTarget[],
  diagnosticsOf: (index: number) => Diagnostics,
): RawTarget[] {
  const byName = new Map<string, WrittenTarget>()
  for (const target of written) {
    if (target.name !== undefined && !byName.has(target.name)) byName.set(target.name, target)
  }
  const extended = new Map<WrittenTarget, ExtendedTarget>()
  return written.map((target, index) => {
    extendChain(target, byName, extended)
    const { problems = [], ...raw } = extended.get(target) ?? unextended(target)
    for (const report of problems) report(diagnosticsOf(index))
    return raw
  })
}

/** Extends a target after all targets above it. */
function extendChain(
  target: WrittenTarget,
  byName: ReadonlyMap<string, WrittenTarget>,
  extended: Map<WrittenTarget, ExtendedTarget>,
): void {
  const chain: WrittenTarget[] = []
  const seen = new Set<WrittenTarget>()
  let next: WrittenTarget | undefined = target
  while (next && !extended.has(next) && !seen.has(next)) {
    chain.push(next)
    seen.add(next)
    next = parentOf(next, byName)
  }
  if (next && seen.has(next)) {
    const cycle = chain.splice(chain.indexOf(next))
    for (const each of cycle) extended.set(each, unextended(each, reportCycle(cycle)))
  }
  for (const each of chain.reverse()) extended.set(each, extendTarget(each, byName, extended))
}

function parentOf({ raw }: WrittenTarget, byName: ReadonlyMap<string, WrittenTarget>): WrittenTarget | undefined {
  const name = isMapping(raw) ? raw['extends'] : undefined
  return typeof name === 'string' ? byName.get(name) : undefined
}

function extendTarget(
  target: WrittenTarget,
  byName: ReadonlyMap<string, WrittenTarget>,
  extended: ReadonlyMap<WrittenTarget, ExtendedTarget>,
): ExtendedTarget {
  if (!isMapping(target.raw) || target.raw['extends'] === undefined) return unextended(target)
  const parent = parentOf(target, byName)
  const base = parent && extended.get(parent)
  return base ? merge(target, target.raw, base) : unextended(target, reportUnknown(target, [...byName.keys()]))
}

/** Returns a target with its own keys only. */
function unextended(target: WrittenTarget, problem?: Report): ExtendedTarget {
  const { extends: name, ...raw } = isMapping(target.raw) ? target.raw : {}
  return {
    ...target,
    raw: isMapping(target.raw) ? raw : target.raw,
    extends: typeof name === 'string' ? name : undefined,
    is_incomplete: problem !== undefined,
    of_other_provider: [],
    problems: problem ? [problem] : [],
  }
}

/** Merges key by key: a list or mapping replaces, and `null` removes the key. */
function merge(target: WrittenTarget, raw: Readonly<Record<string, unknown>>, base: ExtendedTarget): ExtendedTarget {
  const { name: _, ...inherited } = isMapping(base.raw) ? base.raw : {}
  const own = unextended(target)
  const removed = Object.keys(raw).filter(key => raw[key] === null && key !== 'name')
  const merged = Object.entries({ ...inherited, ...(own.raw as object) }).filter(([key]) => !removed.includes(key))
  const kept = Object.keys(inherited).filter(key => !Object.hasOwn(raw, key))
  const isOther = Object.hasOwn(raw, 'provider') ? () => true : (key: string) => base.of_other_provider.includes(key)
  const unset = removed.filter(key => !Object.hasOwn(inherited, key))
  return {
    ...own,
    raw: Object.fromEntries(merged),
    // A target that a suite brings has no paths of its own where it extends one of the file.
    home: base.home,
    at: target.at.with(Object.fromEntries(kept.map(key => [key, base.at.child(key)]))),
    is_incomplete: base.is_incomplete,
    of_other_provider: kept.filter(isOther),
    problems: [
      ...base.problems,
      ...(base.is_incomplete ? [] : unset.map(key => reportUnset(target, key, Object.keys(inherited)))),
    ],
  }
}

const extendingTarget = lazily(() => z.looseObject({ extends: targetFields().extends }))

function reportUnknown({ raw, at }: WrittenTarget, names: readonly string[]): Report {
  return diagnostics => {
    const name = checkShape(extendingTarget(), raw, at, diagnostics)?.extends
    if (name === undefined) return
    const message = `no target named ${quoteCode(name)} in this file`
    const hint = didYouMean(name, names, `the targets are ${names.join(', ')}`)
    diagnostics.add({ code: 'unknown-target', at: at.child('extends'), message, hint })
  }
}

function reportCycle(cycle: readonly WrittenTarget[]): Report {
  const names = [...cycle, ...cycle.slice(0, 1)].map(({ name }) => quoteCode(name))
  const path = cycle.length === 1 ? '' : `: ${truncateForMessage(names.join(' → '))}`
  const message = `the target ${names[0]} extends itself${path}`
  const hint = 'extend another target, or remove `extends`'
  return diagnostics => {
    for (const { at } of cycle.slice(0, 1))
      diagnostics.add({ code: 'bad-target', at: at.child('extends'), message, hint })
  }
}

function reportUnset({ raw, at }: WrittenTarget, key: string, known: readonly string[]): Report {
  const base = quoteCode((raw as Record<string, unknown>)['extends'])
  const message = `${quoteCode(key)} is not set in ${base}, so \`null\` removes nothing`
  const hint = didYouMean(key, known, 'remove the key')
  return diagnostics => diagnostics.add({ code: 'bad-target', at: at.child(key), part: 'key', message, hint })
}
