import { lazily } from '../../lib/lazily.ts'
import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import * as z from '../../lib/zod.ts'
import type { Host } from '../../model/host.ts'
import type { Target, TargetSettings } from '../../model/target.ts'
import { FOREIGN_PROVIDERS } from '../../spec/foreign-keys.ts'
import { CUSTOM_PROVIDER, customTargetSchema, type TargetType } from '../../spec/targets.ts'
import type { Diagnostics } from '../diagnostics.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import { findProvider } from './custom-provider.ts'
import type { RawTarget } from './extend-targets.ts'
import { homeOf } from './targets-file.ts'

const anyTarget = lazily(() => z.looseObject({ name: z.string(), provider: z.string() }))

/** Resolves the `provider` of a target: a built-in one, or the path of a module. Reports an unknown one. */
export function resolveProvider(
  target: unknown,
  at: SourceNode,
  types: readonly TargetType[],
  diagnostics: Diagnostics,
): TargetType | string | undefined {
  if (isMapping(target) && target['provider'] === undefined) {
    const hint = 'name the provider, such as `cli` or `openai`, or a target to extend with `extends`'
    diagnostics.add({ code: 'missing-key', at, message: '`provider` is missing', hint })
    return undefined
  }
  if (!isMapping(target) || typeof target['provider'] !== 'string') {
    checkShape(anyTarget(), target, at, diagnostics)
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
  diagnostics.add({ code: 'unknown-provider', at: at.child('provider'), message, hint })
  return undefined
}

/** Reports inherited keys that the provider of a target does not have. Returns whether there are none. */
export function checkInheritedKeys(
  { at, of_other_provider }: RawTarget,
  named: TargetType | string | undefined,
  diagnostics: Diagnostics,
): boolean {
  if (named === undefined || typeof named === 'string') return true
  const unknown = of_other_provider.filter(key => !Object.hasOwn(named.schema().shape, key))
  for (const key of unknown) {
    const message = `${quoteCode(key)} is inherited, but the provider ${quoteCode(named.provider.type)} does not have it`
    const hint = `add \`${key}: null\` to remove it`
    diagnostics.add({ code: 'bad-target', at: at.child('provider'), message, hint })
  }
  return unknown.length === 0
}

/** Checks a target as written, before its variables are filled in. */
function checkRawTarget(
  target: unknown,
  named: TargetType | string | undefined,
  at: SourceNode,
  diagnostics: Diagnostics,
): void {
  if (typeof named === 'string') checkCustomTarget(target, at, diagnostics)
  else if (named) checkTarget(target, named, at, diagnostics)
}

/** Checks the fields of a target of a built-in provider. */
export function checkTarget(
  target: unknown,
  { schema, provider }: TargetType,
  at: SourceNode,
  diagnostics: Diagnostics,
): Record<string, unknown> | undefined {
  const fields = checkShape(schema(), target, at, diagnostics)
  const issues = fields ? (provider.validate?.target?.(fields) ?? []) : []
  for (const { path, ...issue } of issues) diagnostics.add({ ...issue, at: at.child(...path) })
  return issues.some(({ severity }) => severity !== 'warning') ? undefined : fields
}

/** Checks the common fields of a target of a custom provider. */
export function checkCustomTarget(target: unknown, at: SourceNode, diagnostics: Diagnostics) {
  return checkShape(customTargetSchema(), target, at, diagnostics)
}

/** Checks a target, and the files that it names, as far as no variable is involved. */
export async function checkWithoutVariables(
  raw: unknown,
  named: TargetType | string | undefined,
  at: SourceNode,
  context: { readonly host: Host; readonly diagnostics: Diagnostics; readonly home?: string },
): Promise<void> {
  const before = context.diagnostics.errors
  checkRawTarget(raw, named, at, context.diagnostics)
  if (named === undefined || !isMapping(raw) || context.diagnostics.errors > before) return
  const around = { home: homeOf(at.file), ...context }
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
  readonly diagnostics: Diagnostics
  /** Folder that relative paths of the target start from. */
  readonly home: string
}

/** Reports files that a target needs and that are missing. */
export async function checkTargetEnvironment(
  provider: Target['provider'],
  config: Readonly<Record<string, unknown>>,
  at: SourceNode,
  { host, diagnostics, home }: TargetEnvironment,
): Promise<void> {
  const issues = (await provider.validate?.surroundings?.(config, home, host)) ?? []
  for (const { path, ...issue } of issues) diagnostics.add({ ...issue, at: at.child(...path) })
}

/** Reports globs in `depends_on` that match no files: their changes would go unnoticed. */
export async function checkDependencies(
  depends_on: readonly string[],
  at: SourceNode,
  { host, diagnostics, home }: TargetEnvironment,
): Promise<void> {
  for (const [index, pattern] of depends_on.entries()) {
    if ((await host.files.glob([pattern], { cwd: home })).length > 0) continue
    const message = `no files match ${quoteCode(pattern)}`
    const hint = `globs start at ${home}`
    diagnostics.add({ code: 'file-missing', at: at.child('depends_on', index), message, hint })
  }
}

/** Reports a `judge_target` that the file does not define. */
export function checkJudgeTarget({ raw, at }: RawTarget, names: readonly string[], diagnostics: Diagnostics): void {
  const judge = isMapping(raw) ? raw['judge_target'] : undefined
  if (typeof judge !== 'string' || names.includes(judge)) return
  const message = `no target named ${quoteCode(judge)} in this file`
  const hint = didYouMean(judge, names, `the targets are ${names.join(', ')}`)
  diagnostics.add({ code: 'unknown-target', at: at.child('judge_target'), message, hint })
}
