import * as z from 'zod'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { Host } from '../../model/host.ts'
import type { Target, TargetSettings } from '../../model/target.ts'
import { FOREIGN_PROVIDERS } from '../../spec/foreign-keys.ts'
import { CUSTOM_PROVIDER, customTargetSchema, type TargetType } from '../../spec/targets.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { findProvider } from './custom-provider.ts'
import { homeOf, type RawTarget } from './targets-file.ts'

const ANY_TARGET = z.looseObject({ name: z.string(), provider: z.string() })

/** What a target's `provider` names: one of ours, or the path of a module; undefined after a mistake. */
export function resolveProvider(
  target: unknown,
  at: SourceNode,
  types: readonly TargetType[],
  mistakes: Diagnostics,
): TargetType | string | undefined {
  if (isMapping(target) && target['provider'] === undefined) {
    const hint = 'name the provider, such as `cli` or `openai`'
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
  if (CUSTOM_PROVIDER.test(written)) return written
  const names = types.map(({ provider }) => provider.type)
  const all = `use one of ${names.join(', ')}, or the path of a module`
  const hint = FOREIGN_PROVIDERS.get(written.replaceAll('-', '_')) ?? didYouMean(written, names, all)
  const message = `unknown provider ${quoteCode(written)}`
  mistakes.add({ code: 'unknown-provider', at: at.child('provider'), message, hint })
  return undefined
}

/** Reports what is wrong with a target as it is written, before its variables are filled in. */
function checkRawTarget(
  target: unknown,
  named: TargetType | string | undefined,
  at: SourceNode,
  mistakes: Diagnostics,
): void {
  if (typeof named === 'string') checkCustomTarget(target, at, mistakes)
  else if (named) checkTarget(target, named, at, mistakes)
}

/** The fields of a target of a known provider; undefined after a mistake. */
export function checkTarget(
  target: unknown,
  { schema, provider }: TargetType,
  at: SourceNode,
  mistakes: Diagnostics,
): Record<string, unknown> | undefined {
  const fields = checkShape(schema, target, at, mistakes)
  const issues = fields ? (provider.validate?.target?.(fields) ?? []) : []
  for (const { path, ...issue } of issues) mistakes.add({ ...issue, at: at.child(...path) })
  return issues.some(({ severity }) => severity !== 'warning') ? undefined : fields
}

/** The fields that a target of one's own provider shares with all others. */
export function checkCustomTarget(target: unknown, at: SourceNode, mistakes: Diagnostics) {
  return checkShape(customTargetSchema, target, at, mistakes)
}

/** Reports what is wrong with a target as it is written and in the files around it, as far as that depends on no variable. */
export async function checkWithoutVariables(
  raw: unknown,
  named: TargetType | string | undefined,
  at: SourceNode,
  context: { readonly host: Host; readonly mistakes: Diagnostics },
): Promise<void> {
  const before = context.mistakes.errors
  checkRawTarget(raw, named, at, context.mistakes)
  if (named === undefined || !isMapping(raw) || context.mistakes.errors > before) return
  const around = { ...context, home: homeOf(at.file) }
  const fixed = Object.fromEntries(Object.entries(raw).filter(([, value]) => !hasVariables(value)))
  if (typeof named !== 'string') await checkTargetEnvironment(named.provider, fixed, at, around)
  else if ((await findProvider(named, at, context)) === undefined) return
  const { depends_on = [] } = fixed as TargetSettings
  await checkDependencies(depends_on, at, around)
}

function hasVariables(value: unknown): boolean {
  return JSON.stringify(value).includes('${{')
}

interface TargetEnvironment {
  readonly host: Host
  readonly mistakes: Diagnostics
  /** The folder that relative paths in the target start from. */
  readonly home: string
}

/** Reports what a target lacks in the files around it. */
export async function checkTargetEnvironment(
  provider: Target['provider'],
  config: Readonly<Record<string, unknown>>,
  at: SourceNode,
  { host, mistakes, home }: TargetEnvironment,
): Promise<void> {
  const issues = (await provider.validate?.surroundings?.(config, home, host)) ?? []
  for (const { path, ...issue } of issues) mistakes.add({ ...issue, at: at.child(...path) })
}

/** Reports dependencies that match no file: these could change unseen. */
export async function checkDependencies(
  depends_on: readonly string[],
  at: SourceNode,
  { host, mistakes, home }: TargetEnvironment,
): Promise<void> {
  for (const [index, pattern] of depends_on.entries()) {
    if ((await host.files.glob([pattern], { cwd: home })).length > 0) continue
    const message = `no files match ${quoteCode(pattern)}`
    const hint = `globs start at ${home}`
    mistakes.add({ code: 'file-missing', at: at.child('depends_on', index), message, hint })
  }
}

/** Reports a judge that is not in the file. */
export function checkJudgeTarget({ raw, at }: RawTarget, names: readonly string[], mistakes: Diagnostics): void {
  const judge = isMapping(raw) ? raw['judge_target'] : undefined
  if (typeof judge !== 'string' || names.includes(judge)) return
  const message = `no target named ${quoteCode(judge)} in this file`
  const hint = didYouMean(judge, names, `the targets are ${names.join(', ')}`)
  mistakes.add({ code: 'unknown-target', at: at.child('judge_target'), message, hint })
}
