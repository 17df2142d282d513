import { type Diagnostic, hasErrors } from '../../diagnostics/diagnostic.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import type { TargetType } from '../../spec/targets.ts'
import { Diagnostics } from '../diagnostics.ts'
import { Files } from '../files.ts'
import { checkJudgeTarget, checkWithoutVariables, resolveProvider } from './check-target.ts'
import { loadTarget, type TargetContext } from './load-target.ts'
import { addWrittenSecrets } from './secrets.ts'
import { dropNamedSecrets, namesOfTargets } from './target-secrets.ts'
import { type RawTarget, readTargetsFile } from './targets-file.ts'
import { findVariables } from './variables.ts'

/** One target of a file: what it is, and what is wrong with it or missing. */
export interface ListedTarget {
  readonly name: string | undefined
  /** As it is written, like the name of its judge. */
  readonly provider: string | undefined
  readonly judge_target: string | undefined
  readonly line: number
  /** What it is, in a few words, as far as that can be read. */
  readonly about: string | undefined
  /** Ready to be asked; undefined after a mistake. */
  readonly target: Target | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** What this machine lacks to ask it, in words. */
  readonly lacks: string | undefined
}

export interface TargetList {
  /** The names of all targets in the file. */
  readonly names: readonly string[]
  /** Those that were asked for. */
  readonly targets: readonly ListedTarget[]
  /** What is wrong with the file as a whole. */
  readonly diagnostics: readonly Diagnostic[]
  /** Values that must not be shown, with the names to show instead. */
  readonly secrets: ReadonlyMap<string, string>
}

interface ListOptions {
  readonly host: Host
  readonly types: readonly TargetType[]
  /** Only targets of this name. */
  readonly name?: string | undefined
}

/** The targets of a file, each with its own mistakes. */
export async function listTargets(file: string, { host, types, name: wanted }: ListOptions): Promise<TargetList> {
  const mistakes = new Diagnostics()
  const files = new Files(host, mistakes)
  const secrets = new Map<string, string>()
  const source = await files.read(file)
  const own: Diagnostics[] = []
  const ownMistakes = (index: number) => {
    const mistakesOfOne = own[index] ?? new Diagnostics()
    if (source) mistakesOfOne.know(source)
    own[index] = mistakesOfOne
    return mistakesOfOne
  }
  const written = (await readTargetsFile(file, files, mistakes, ownMistakes))?.targets ?? []
  for (const { raw } of written) addWrittenSecrets(raw, secrets)
  const names = written.flatMap(({ name }) => name ?? [])
  const variables = await findVariables(host.cwd, files)
  const targets: ListedTarget[] = []
  for (const [index, each] of written.entries()) {
    if (wanted !== undefined && each.name !== wanted) continue
    const context = { host, types, variables, secrets, mistakes: ownMistakes(index) }
    targets.push(await listTarget(each, names, context))
  }
  const known = [{ targets: written, variables }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(written), known, { mistakes, types })
  return { names, targets, diagnostics: mistakes.sorted(), secrets }
}

async function listTarget(written: RawTarget, names: readonly string[], context: TargetContext): Promise<ListedTarget> {
  const { name, at, raw } = written
  const fields = isMapping(raw) ? raw : {}
  const text = (key: string) => (typeof fields[key] === 'string' ? fields[key] : undefined)
  const judge_target = text('judge_target')
  const loaded = await loadTarget(written, context)
  checkJudgeTarget(written, names, context.mistakes)
  const diagnostics = context.mistakes.sorted()
  const target = hasErrors(diagnostics) ? undefined : loaded
  const about = loaded ? loaded.provider.about?.(loaded.config) : describeRawTarget(written, context)
  const lacks = await target?.provider.validate?.machine?.(target.config, target.home, context.host)
  return { name, provider: text('provider'), judge_target, line: at.line(), about, target, diagnostics, lacks }
}

/** What a target with a mistake is, by what stands in the file; undefined where that does not have the right shape. */
function describeRawTarget({ raw, at }: RawTarget, { types }: TargetContext): string | undefined {
  const named = resolveProvider(raw, at, types, new Diagnostics())
  if (named === undefined || typeof named === 'string') return undefined
  const fields = named.schema.safeParse(raw)
  return fields.success ? named.provider.about?.(fields.data) : undefined
}

/** Reports every mistake in a targets file that does not depend on the environment. Nothing of it is run. */
export async function checkTargetsFile(
  file: string,
  types: readonly TargetType[],
  files: Files,
  mistakes: Diagnostics,
  secrets: Map<string, string>,
): Promise<void> {
  const targets = (await readTargetsFile(file, files, mistakes))?.targets ?? []
  const names = targets.flatMap(({ name }) => name ?? [])
  for (const target of targets) {
    const { raw, at } = target
    addWrittenSecrets(raw, secrets)
    const named = resolveProvider(raw, at, types, mistakes)
    await checkWithoutVariables(raw, named, at, { host: files.host, mistakes })
    checkJudgeTarget(target, names, mistakes)
  }
  const known = [{ targets, variables: () => undefined }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(targets), known, { mistakes, types })
}
