import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Check } from '../model/check.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { Files } from './files.ts'
import { judgeFor } from './find-judges.ts'
import { Mistakes } from './mistakes.ts'
import { dropNamedSecrets, type KnownTargets, namesOfSuite, namesOfTargets } from './named-secrets.ts'
import { SuiteTargets, type TargetsOptions } from './suite-targets.ts'
import { namesFor } from './target-names.ts'

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
  const mistakes = new Mistakes()
  const files = new Files(options.host, mistakes)
  const secrets = new Map<string, string>()
  const loaded = new Map<Suite, ReadonlyMap<string, Target>>()
  const judging = new Map<Suite, ReadonlyMap<string, Target>>()
  const judges = new Map<string, Target>()
  const known: KnownTargets[] = []
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
    of: (suite, test) => namesFor(suite, test, options).flatMap(({ name }) => loaded.get(suite)?.get(name) ?? []),
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
