import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { isMapping } from '../lib/is-mapping.ts'
import type { Host } from '../model/host.ts'
import type { Target } from '../model/target.ts'
import type { TargetType } from '../spec/targets.ts'
import { providerOf } from './check-target.ts'
import { Files } from './files.ts'
import { findVariables } from './find-variables.ts'
import { loadTarget, type TargetContext } from './load-target.ts'
import { Mistakes } from './mistakes.ts'
import { dropNamedSecrets, namesOfTargets } from './named-secrets.ts'
import { writtenSecrets } from './secrets.ts'
import { checkJudgeTarget } from './target-surroundings.ts'
import { readTargetsFile, type WrittenTarget } from './targets-file.ts'

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
  const mistakes = new Mistakes()
  const files = new Files(host, mistakes)
  const secrets = new Map<string, string>()
  const source = await files.read(file)
  const own: Mistakes[] = []
  const ownMistakes = (index: number) => {
    const mistakesOfOne = own[index] ?? new Mistakes()
    if (source) mistakesOfOne.know(source)
    own[index] = mistakesOfOne
    return mistakesOfOne
  }
  const written = (await readTargetsFile(file, files, mistakes, ownMistakes))?.targets ?? []
  for (const { raw } of written) writtenSecrets(raw, secrets)
  const names = written.flatMap(({ name }) => name ?? [])
  const variables = await findVariables(host.cwd, files)
  const targets: ListedTarget[] = []
  for (const [index, each] of written.entries()) {
    if (wanted !== undefined && each.name !== wanted) continue
    const context = { host, types, variables, secrets, mistakes: ownMistakes(index) }
    targets.push(await listedTarget(each, names, context))
  }
  const known = [{ targets: written, variables }]
  if (secrets.size > 0) dropNamedSecrets(secrets, namesOfTargets(written), known, { mistakes, types })
  return { names, targets, diagnostics: mistakes.sorted(), secrets }
}

async function listedTarget(
  written: WrittenTarget,
  names: readonly string[],
  context: TargetContext,
): Promise<ListedTarget> {
  const { name, at, raw } = written
  const fields = isMapping(raw) ? raw : {}
  const text = (key: string) => (typeof fields[key] === 'string' ? fields[key] : undefined)
  const judge_target = text('judge_target')
  const loaded = await loadTarget(written, context)
  checkJudgeTarget(written, names, context.mistakes)
  const diagnostics = context.mistakes.sorted()
  const target = hasErrors(diagnostics) ? undefined : loaded
  const about = loaded ? loaded.provider.about?.(loaded.config) : aboutWritten(written, context)
  const lacks = await target?.provider.lacks?.(target.config, target.home, context.host)
  return { name, provider: text('provider'), judge_target, line: at.line(), about, target, diagnostics, lacks }
}

/** What a target with a mistake is, by what stands in the file; undefined where that does not have the right shape. */
function aboutWritten({ raw, at }: WrittenTarget, { types }: TargetContext): string | undefined {
  const named = providerOf(raw, at, types, new Mistakes())
  if (named === undefined || typeof named === 'string') return undefined
  const fields = named.schema.safeParse(raw)
  return fields.success ? named.provider.about?.(fields.data) : undefined
}
