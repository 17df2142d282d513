import { type Diagnostic, hasErrors } from '../../diagnostics/diagnostic.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import type { TargetType } from '../../spec/targets.ts'
import { Diagnostics } from '../diagnostics.ts'
import { Files } from '../files.ts'
import { checkInheritedKeys, checkJudgeTarget, checkWithoutVariables, resolveProvider } from './check-target.ts'
import type { RawTarget } from './extend-targets.ts'
import { loadTarget, type TargetContext } from './load-target.ts'
import { addWrittenSecrets } from './secrets.ts'
import { dropNamedSecrets, namesOfTargets } from './target-secrets.ts'
import { readTargetsFile } from './targets-file.ts'
import { findVariables } from './variables.ts'

/** One target of a file, with its diagnostics. */
export interface ListedTarget {
  readonly name: string | undefined
  /** As written in the file, like `judge_target`. */
  readonly provider: string | undefined
  readonly judge_target: string | undefined
  /** The target whose keys it has. */
  readonly extends: string | undefined
  readonly line: number
  /** Short description; undefined if the target cannot be read. */
  readonly about: string | undefined
  /** The loaded target; undefined if it has errors. */
  readonly target: Target | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** What is missing on this machine to use it, in words. */
  readonly lacks: string | undefined
}

export interface TargetList {
  /** Names of all targets in the file. */
  readonly names: readonly string[]
  /** The selected targets. */
  readonly targets: readonly ListedTarget[]
  /** Diagnostics of the file as a whole. */
  readonly diagnostics: readonly Diagnostic[]
  /** Values to redact, with the names that replace them. */
  readonly secrets: ReadonlyMap<string, string>
}

interface ListOptions {
  readonly host: Host
  readonly types: readonly TargetType[]
  /** Selects targets by name. */
  readonly name?: string | undefined
}

/** Lists the targets of a file, each with its own diagnostics. */
export async function listTargets(file: string, { host, types, name: wanted }: ListOptions): Promise<TargetList> {
  const diagnostics = new Diagnostics()
  const files = new Files(host, diagnostics)
  const secrets = new Map<string, string>()
  const source = await files.read(file)
  const own: Diagnostics[] = []
  const ownDiagnostics = (index: number) => {
    const targetDiagnostics = own[index] ?? new Diagnostics()
    if (source) targetDiagnostics.registerSource(source)
    own[index] = targetDiagnostics
    return targetDiagnostics
  }
  const written = (await readTargetsFile(file, files, diagnostics, ownDiagnostics))?.targets ?? []
  for (const { raw } of written) addWrittenSecrets(raw, secrets)
  const names = written.flatMap(({ name }) => name ?? [])
  const variables = await findVariables(host.cwd, files)
  const targets: ListedTarget[] = []
  for (const [index, each] of written.entries()) {
    if (wanted !== undefined && each.name !== wanted) continue
    const context = { host, types, variables, secrets, diagnostics: ownDiagnostics(index) }
    targets.push(await listTarget(each, names, context))
  }
  const known = [{ targets: written, variables }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(written), known, { diagnostics, types })
  return { names, targets, diagnostics: diagnostics.sorted(), secrets }
}

async function listTarget(written: RawTarget, names: readonly string[], context: TargetContext): Promise<ListedTarget> {
  const { name, at, raw } = written
  const fields = isMapping(raw) ? raw : {}
  const text = (key: string) => (typeof fields[key] === 'string' ? fields[key] : undefined)
  const judge_target = text('judge_target')
  const loaded = await loadTarget(written, context)
  checkJudgeTarget(written, names, context.diagnostics)
  const diagnostics = context.diagnostics.sorted()
  const target = hasErrors(diagnostics) ? undefined : loaded
  const about = loaded ? loaded.provider.about?.(loaded.config) : describeRawTarget(written, context)
  const lacks = await target?.provider.validate?.machine?.(target.config, target.home, context.host)
  const facts = { name, provider: text('provider'), judge_target, extends: written.extends, line: at.line() }
  return { ...facts, about, target, diagnostics, lacks }
}

/** Describes a target with errors, if it at least matches the schema. */
function describeRawTarget({ raw, at }: RawTarget, { types }: TargetContext): string | undefined {
  const named = resolveProvider(raw, at, types, new Diagnostics())
  if (named === undefined || typeof named === 'string') return undefined
  const fields = named.schema().safeParse(raw)
  return fields.success ? named.provider.about?.(fields.data) : undefined
}

/** Reports the diagnostics of a targets file that do not depend on the environment. Runs nothing. */
export async function checkTargetsFile(
  file: string,
  types: readonly TargetType[],
  files: Files,
  diagnostics: Diagnostics,
  secrets: Map<string, string>,
): Promise<void> {
  const targets = (await readTargetsFile(file, files, diagnostics))?.targets ?? []
  const names = targets.flatMap(({ name }) => name ?? [])
  for (const target of targets) {
    const { raw, at, is_incomplete } = target
    addWrittenSecrets(raw, secrets)
    if (is_incomplete) continue
    const named = resolveProvider(raw, at, types, diagnostics)
    if (checkInheritedKeys(target, named, diagnostics))
      await checkWithoutVariables(raw, named, at, { host: files.host, diagnostics })
    checkJudgeTarget(target, names, diagnostics)
  }
  const known = [{ targets, variables: () => undefined }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(targets), known, { diagnostics, types })
}
