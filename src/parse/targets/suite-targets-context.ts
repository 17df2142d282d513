import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { GradedTarget, StandIn, Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import { variantName } from '../../model/variant.ts'
import type { TargetType } from '../../spec/targets.ts'
import type { DiagnosticInput, Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import { ablatedName } from './ablate-targets.ts'
import { type ArmOptions, armNamesFor } from './arm-names.ts'
import type { JudgeOptions } from './target-names.ts'
import type { TargetsFile } from './targets-file.ts'

export interface TargetsOptions extends ArmOptions, JudgeOptions {
  readonly host: Host
  readonly types: readonly TargetType[]
  /** Path of the targets file, if given. */
  readonly file?: string | undefined
  /** Creates targets that replace those of the file, which then need not be usable. */
  readonly standIn?: StandIn | undefined
}

/** Context for loading the targets of one suite. */
export interface SuiteTargetsContext {
  readonly suite: Suite
  /** The selected tests. */
  readonly tests: readonly Test[]
  readonly options: TargetsOptions
  readonly files: Files
  readonly diagnostics: Diagnostics
  readonly secrets: Map<string, string>
}

/** The loaded targets that answer, by name. */
export type Answering = ReadonlyMap<string, Target>

/** Returns the targets of a test. Of one that has errors, only the name is known. */
export function gradedTargets(
  test: Test,
  answering: Answering,
  { suite, options }: SuiteTargetsContext,
): readonly GradedTarget[] {
  return armNamesFor(suite, test, options).map(({ name, base }) => answering.get(name) ?? { name, base })
}

/** Adds a diagnostic after reading its file, so that it has a code frame. */
export async function reportOn(
  diagnostic: DiagnosticInput & { readonly at: Origin },
  { files, diagnostics }: Pick<SuiteTargetsContext, 'files' | 'diagnostics'>,
): Promise<void> {
  await files.read(diagnostic.at.file)
  diagnostics.add(diagnostic)
}

/** Reports a target that the targets file does not define. */
export async function reportUnknownTarget(
  name: string,
  at: Origin,
  { targets, at: file }: TargetsFile,
  context: SuiteTargetsContext,
): Promise<void> {
  const names = targets.flatMap(target => target.name ?? [])
  const known =
    names.length > 0 ? `the targets are ${names.join(', ')}${variantsText(context.suite)}` : 'the file has no targets'
  const isWritten = at !== context.suite.at
  const message = `no target named ${quoteCode(name)}${isWritten ? ` in ${file.file}` : ''}`
  const hint = didYouMean(
    name,
    namesWithVariants(names, context.suite),
    `${known}; choose one with \`--target\` or \`execution.target\``,
  )
  await reportOn({ code: 'unknown-target', at: isWritten ? at : file.child('targets'), message, hint }, context)
}

/** The names of targets, and of the variants of a suite on each of them. */
export function namesWithVariants(names: readonly string[], { variants = [] }: Suite): string[] {
  return [...names, ...names.flatMap(name => variants.map(variant => variantName(name, variant.name)))]
}

function variantsText({ variants }: Suite): string {
  return variants ? `, each with the variants ${variants.map(({ name }) => name).join(', ')}` : ''
}

/** Reports a target that cannot be compared with a copy without the field. */
export function reportUnablated(
  base: string,
  { targets }: TargetsFile,
  { options: { ablate: field = '' }, diagnostics }: SuiteTargetsContext,
): void {
  const target = targets.find(({ name }) => name === base)
  // That there is no such target is already reported.
  if (!target) return
  const copy = ablatedName(base, field)
  const taken = targets.find(({ name }) => name === copy)
  if (taken) {
    const message = `\`--ablate ${field}\` makes a target of this name, a copy of ${quoteCode(base)}`
    const hint = `rename this target, or use it with \`--control ${copy}\``
    diagnostics.add({ code: 'duplicate-name', at: taken.at.child('name'), message, hint })
    return
  }
  const message = `the target ${quoteCode(base)} has no \`${field}\`, so a copy without it would not differ`
  const hint = 'select targets that have it with `--target`, or ablate another field'
  diagnostics.add({ code: 'no-comparison', at: target.at, message, hint })
}
