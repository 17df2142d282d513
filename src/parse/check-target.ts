import * as z from 'zod'
import { isMapping } from '../lib/is-mapping.ts'
import { shown } from '../lib/shown.ts'
import { didYouMean } from '../lib/suggestion.ts'
import { FOREIGN_PROVIDERS } from '../spec/foreign-targets.ts'
import { customProvider, customTargetSchema, type TargetType } from '../spec/targets.ts'
import type { Mistakes } from './mistakes.ts'
import { checkShape } from './shape.ts'
import type { SourceNode } from './source-node.ts'

const ANY_TARGET = z.looseObject({ name: z.string(), provider: z.string() })

/** What a target's `provider` names: one of ours, or the path of a module; undefined after a mistake. */
export function providerOf(
  target: unknown,
  at: SourceNode,
  types: readonly TargetType[],
  mistakes: Mistakes,
): TargetType | string | undefined {
  if (isMapping(target) && target['provider'] === undefined) {
    const hint = 'name the kind of target, such as `cli` or `openai`'
    mistakes.add({ code: 'missing-key', at, message: '`provider` is missing', hint })
    return undefined
  }
  if (!isMapping(target) || typeof target['provider'] !== 'string') {
    checkShape(ANY_TARGET, target, at, mistakes)
    return undefined
  }
  const written = target['provider']
  const known = types.find(({ provider }) => provider.type === written.replaceAll('-', '_'))
  if (known) return known
  if (customProvider.test(written)) return written
  const names = types.map(({ provider }) => provider.type)
  const all = `the providers are ${names.join(', ')}, or the path of a module`
  const hint = FOREIGN_PROVIDERS.get(written.replaceAll('-', '_')) ?? didYouMean(written, names, all)
  const message = `unknown provider ${shown(written)}`
  mistakes.add({ code: 'unknown-provider', at: at.child('provider'), message, hint })
  return undefined
}

/** Reports what is wrong with a target as it is written, before its variables are filled in. */
export function checkWrittenTarget(
  target: unknown,
  named: TargetType | string | undefined,
  at: SourceNode,
  mistakes: Mistakes,
): void {
  if (typeof named === 'string') checkCustomTarget(target, at, mistakes)
  else if (named) checkTarget(target, named, at, mistakes)
}

/** The fields of a target of a known provider; undefined after a mistake. */
export function checkTarget(
  target: unknown,
  { schema, provider }: TargetType,
  at: SourceNode,
  mistakes: Mistakes,
): Record<string, unknown> | undefined {
  const fields = checkShape(schema, target, at, mistakes)
  const issues = fields ? (provider.issues?.(fields) ?? []) : []
  for (const { path, ...issue } of issues) mistakes.add({ ...issue, at: at.child(...path) })
  return issues.some(({ severity }) => severity !== 'warning') ? undefined : fields
}

/** The fields that a target of one's own provider shares with all others. */
export function checkCustomTarget(target: unknown, at: SourceNode, mistakes: Mistakes) {
  return checkShape(customTargetSchema, target, at, mistakes)
}
