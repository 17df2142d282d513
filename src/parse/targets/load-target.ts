import { isMapping } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Host } from '../../model/host.ts'
import type { TargetFolders } from '../../model/provider.ts'
import type { Target, TargetSettings } from '../../model/target.ts'
import { commonTargetFields, type TargetType } from '../../spec/targets.ts'
import { checkShape } from '../shape/check-shape.ts'
import type { SourceNode } from '../yaml/source-node.ts'
import {
  checkCustomTarget,
  checkDependencies,
  checkInheritedKeys,
  checkTarget,
  checkTargetEnvironment,
  checkWithoutVariables,
  resolveProvider,
} from './check-target.ts'
import { importProvider } from './custom-provider.ts'
import type { RawTarget } from './extend-targets.ts'
import { addSecret, isSecret } from './secrets.ts'
import { fillVariables, type VariableContext } from './variables.ts'

export interface TargetContext extends VariableContext {
  readonly host: Host
  readonly types: readonly TargetType[]
  /** Folder of the suite that uses the target; undefined without a suite. */
  readonly suite?: string
  /** Folders that the suite and its tests add for coding agents. */
  readonly added?: TargetFolders['added']
}

type Provider = Target['provider']

/** Loads a target; returns undefined if it has errors. */
export async function loadTarget(written: RawTarget, context: TargetContext): Promise<Target | undefined> {
  const { raw, at, is_incomplete, home } = written
  if (is_incomplete) return undefined
  const { diagnostics } = context
  const before = diagnostics.errors
  const named = resolveProvider(raw, at, context.types, diagnostics)
  if (named === undefined || !isMapping(raw) || !checkInheritedKeys(written, named, diagnostics)) return undefined
  const filled = fillVariables(raw, at, context) as Record<string, unknown>
  if (diagnostics.errors > before) {
    // Reports other problems than missing variables.
    await checkWithoutVariables(raw, named, at, { ...context, home })
    return undefined
  }
  const checked =
    typeof named === 'string'
      ? await customTarget(filled, named, at, context)
      : withProvider(named.provider, checkTarget(filled, named, at, diagnostics))
  if (!checked) return undefined
  const { provider } = checked
  const fields = { ...fillBaseUrl(checked, context), ...fillApiKey(checked, at, context) }
  const isCommon = ([key]: [string, unknown]) => key === 'provider' || commonTargetFields().includes(key)
  const settings = Object.fromEntries(Object.entries(fields).filter(isCommon)) as TargetSettings
  const config = Object.fromEntries(Object.entries(fields).filter(entry => !isCommon(entry)))
  const around = { host: context.host, diagnostics, home }
  await checkTargetEnvironment(provider, config, at, around)
  await checkForSuite(provider, config, at, { ...context, home })
  await checkDependencies(settings.depends_on ?? [], at, around)
  if (diagnostics.errors > before) return undefined
  const skills = await skillsOf(provider, config, home, context)
  return { name: String(fields['name']), provider, config, settings, skills, written: raw, home, at }
}

/** Reports files that a target needs in the folder of the suite. */
async function checkForSuite(
  provider: Provider,
  config: unknown,
  at: SourceNode,
  { host, diagnostics, suite, home }: TargetContext & { readonly home: string },
): Promise<void> {
  if (suite === undefined) return
  const issues = (await provider.validate?.suite?.(config, { home, suite }, host)) ?? []
  for (const { path, ...issue } of issues) diagnostics.add({ ...issue, at: at.child(...path) })
}

/** Returns the skills of a target that answers for a suite. */
async function skillsOf(provider: Provider, config: unknown, home: string, { host, suite, added }: TargetContext) {
  return suite === undefined ? undefined : provider.skills?.(config, { home, suite, added }, host)
}

/** Fills in `api_key` from the default variable of the provider. */
function fillApiKey(
  { provider, fields }: CheckedTarget,
  at: SourceNode,
  context: TargetContext,
): CheckedTarget['fields'] {
  const { keyVariables: names = [] } = provider.service ?? {}
  if (names.length === 0 || fields['api_key'] !== undefined) return fields
  for (const name of names) {
    const value = context.variables(name)
    if (value === undefined || value === '') continue
    if (isSecret(value, [name, 'api_key'])) addSecret(context.secrets, value, name)
    return { ...fields, api_key: value }
  }
  const message = `this target has no \`api_key\`, and the variable ${names.map(quoteCode).join(' or ')} is not set`
  const hint = 'set it in the environment, or in a `.env` file beside the suite or above it'
  context.diagnostics.add({ code: 'missing-variable', at: at.child('provider'), message, hint })
  return fields
}

/** Returns `base_url` from the default variable of the provider, unless the target sets it. */
function fillBaseUrl(
  { provider, fields }: CheckedTarget,
  { variables, secrets }: TargetContext,
): CheckedTarget['fields'] {
  const { urlVariable: name } = provider.service ?? {}
  const value = name === undefined || fields['base_url'] !== undefined ? undefined : variables(name)
  if (name === undefined || !value) return {}
  if (isSecret(value, [name, 'base_url'])) secrets.set(value, name)
  return { base_url: value }
}

interface CheckedTarget {
  readonly provider: Provider
  readonly fields: Record<string, unknown>
}

function withProvider(provider: Provider, fields: Record<string, unknown> | undefined): CheckedTarget | undefined {
  return fields && { provider, fields }
}

/** Checks a target with a custom provider against the schema of its module. */
async function customTarget(
  target: Record<string, unknown>,
  path: string,
  at: SourceNode,
  context: TargetContext,
): Promise<CheckedTarget | undefined> {
  const common = checkCustomTarget(target, at, context.diagnostics)
  const provider = await importProvider(path, at, context)
  if (!common || !provider) return undefined
  const own = Object.entries(target).filter(([key]) => key !== 'provider' && !commonTargetFields().includes(key))
  const fields = checkShape(provider.config(), Object.fromEntries(own), at, context.diagnostics)
  return fields && { provider, fields: { ...common, ...fields } }
}
