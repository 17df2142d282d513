import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Check } from '../../model/check.ts'
import type { Host } from '../../model/host.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import type { TargetType } from '../../spec/targets.ts'
import type { LocatedDefaultTargets } from '../config.ts'
import { Diagnostics } from '../diagnostics.ts'
import { Files } from '../files.ts'
import type { LoadResult } from '../load-files.ts'
import { judgeFor } from './find-judges.ts'
import { SuiteTargets, type TargetsOptions } from './suite-targets.ts'
import { targetNamesFor } from './target-names.ts'
import { dropNamedSecrets, namesOfSuite, namesOfTargets, type TargetsWithVariables } from './target-secrets.ts'

export interface SelectedSuite {
  readonly suite: Suite
  readonly tests: readonly Test[]
}

export interface LoadedTargets {
  /** The targets of a test, in order. */
  of(suite: Suite, test: Test): readonly Target[]
  /** All targets in use, those that judge among them, each with the suite that uses it. */
  all(): Iterable<readonly [Suite, Target]>
  /** Those that judge. */
  judges(): readonly Target[]
  /** The target that judges a check on the answers of a target. */
  judgeOf(asked: { readonly suite: Suite; readonly target: Target }, check: Check): Target | undefined
  /** Values that must not be shown, with the names to show instead. */
  readonly secrets: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/** The second step before a run: the targets in use, and whether every check can be graded. */
export async function loadTargets(selected: readonly SelectedSuite[], options: TargetsOptions): Promise<LoadedTargets> {
  const mistakes = new Diagnostics()
  const files = new Files(options.host, mistakes)
  const secrets = new Map<string, string>()
  const loaded = new Map<Suite, ReadonlyMap<string, Target>>()
  const judging = new Map<Suite, ReadonlyMap<string, Target>>()
  const judges = new Map<string, Target>()
  const known: TargetsWithVariables[] = []
  for (const { suite, tests } of selected) {
    // Known to the mistakes, so that they can show its lines.
    mistakes.note(suite.file)
    const load = new SuiteTargets(suite, options, files, mistakes, secrets)
    loaded.set(suite, await load.targets(tests))
    await load.reportUngradable(tests)
    // Suites may share a targets file: then each has read the same judge.
    for (const judge of load.judges.values()) judges.set(JSON.stringify(judge.written), judge)
    judging.set(suite, load.judges)
    if (load.known) known.push(load.known)
  }
  const names = [
    ...known.flatMap(({ targets }) => [...namesOfTargets(targets)]),
    ...selected.flatMap(({ suite, tests }) => [...namesOfSuite(suite, tests)]),
  ]
  if (secrets.size > 0) dropNamedSecrets(secrets, names, known, { mistakes, types: options.types })
  return {
    of: (suite, test) => targetNamesFor(suite, test, options).flatMap(({ name }) => loaded.get(suite)?.get(name) ?? []),
    all: () =>
      [...loaded, ...judging].flatMap(([suite, targets]) =>
        [...targets.values()].map(target => [suite, target] as const),
      ),
    judges: () => [...judges.values()],
    judgeOf: ({ suite, target }, check) => judging.get(suite)?.get(judgeFor(check, target, suite, options).name),
    secrets,
    diagnostics: mistakes.sorted(),
  }
}

/** What was loaded, with what a run would find wrong before its first attempt. */
export async function addTargetDiagnostics(
  loaded: LoadResult,
  types: readonly TargetType[],
  host: Host,
  defaults?: LocatedDefaultTargets,
): Promise<LoadResult> {
  const selected = loaded.suites.map(suite => ({ suite, tests: suite.tests }))
  const targets = await loadTargets(selected, { host, types, defaults })
  // A targets file that was named is looked through already.
  const said = new Set(loaded.diagnostics.map(diagnosticKey))
  const secrets = new Map([...loaded.secrets, ...targets.secrets])
  return {
    ...loaded,
    secrets,
    diagnostics: [...loaded.diagnostics, ...targets.diagnostics.filter(one => !said.has(diagnosticKey(one)))],
  }
}

function diagnosticKey({ code, file, line, column }: Diagnostic): string {
  return JSON.stringify([code, file, line, column])
}
