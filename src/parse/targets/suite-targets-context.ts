import { quoteCode } from '../../lib/text/quote.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import type { TargetType } from '../../spec/targets.ts'
import type { DiagnosticInput, Diagnostics } from '../diagnostics.ts'
import type { Files } from '../files.ts'
import type { ArmOptions } from './arm-names.ts'
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

export type StandIn = (name: string, at: Origin) => Target

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

/** Adds a diagnostic after reading its file, so that it has a code frame. */
export async function reportOn(
  diagnostic: DiagnosticInput & { readonly at: Origin },
  { files, diagnostics }: SuiteTargetsContext,
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
  const known = names.length > 0 ? `the targets are ${names.join(', ')}` : 'the file has no targets'
  const isWritten = at !== context.suite.at
  const message = `no target named ${quoteCode(name)}${isWritten ? ` in ${file.file}` : ''}`
  const hint = didYouMean(name, names, `${known}; choose one with \`--target\` or \`execution.target\``)
  await reportOn({ code: 'unknown-target', at: isWritten ? at : file.child('targets'), message, hint }, context)
}
