import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { applicableChecks } from '../../model/applicability.ts'
import type { Arm } from '../../model/attempt.ts'
import type { Check } from '../../model/check.ts'
import type { Evaluator } from '../../model/evaluator.ts'
import { someEvaluator } from '../../model/evaluators-in.ts'
import type { Host } from '../../model/host.ts'
import type { JudgeOf } from '../../model/plan.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import type { TargetType } from '../../spec/targets.ts'
import type { LocatedDefaultTargets } from '../config.ts'
import { Diagnostics } from '../diagnostics.ts'
import { Files } from '../files.ts'
import type { LoadResult } from '../load-files.ts'
import { armNamesFor } from './arm-names.ts'
import { reportSharedTests } from './check-shared-tests.ts'
import { loadSuiteTargets } from './suite-targets.ts'
import { gradedTargets, reportOn, type SuiteTargetsContext, type TargetsOptions } from './suite-targets-context.ts'
import { type ArmName, judgesFor } from './target-names.ts'
import { dropNamedSecrets, namesOfSuite, namesOfTargets, type TargetsWithVariables } from './target-secrets.ts'

export interface SelectedSuite {
  readonly suite: Suite
  readonly tests: readonly Test[]
}

export interface LoadedTargets {
  /** Returns the arms of a test, in order. */
  armsOf(suite: Suite, test: Test): readonly Arm[]
  /** Returns all targets in use, judges included, each with the suite that uses it. */
  all(): Iterable<readonly [Suite, Target]>
  /** Returns the targets that judge. */
  judges(): readonly Target[]
  readonly judgeOf: JudgeOf
  /** Values to redact, with the names that replace them. */
  readonly secrets: ReadonlyMap<string, string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads the targets in use and verifies that every check can be graded. */
export async function loadTargets(selected: readonly SelectedSuite[], options: TargetsOptions): Promise<LoadedTargets> {
  const diagnostics = new Diagnostics()
  const files = new Files(options.host, diagnostics)
  const secrets = new Map<string, string>()
  const loaded = new Map<Suite, ReadonlyMap<string, Target>>()
  const judging = new Map<Suite, ReadonlyMap<string, Target>>()
  const judges = new Map<string, Target>()
  /** By their names, which the tests of a suite share. */
  const arms = new WeakMap<readonly ArmName[], readonly Arm[]>()
  const known: TargetsWithVariables[] = []
  for (const { suite, tests } of selected) {
    // Registers the suite first, so that its diagnostics are sorted first.
    diagnostics.registerFile(suite.file)
    const context = { suite, tests, options, files, diagnostics, secrets }
    const load = await loadSuiteTargets(context)
    loaded.set(suite, load.targets)
    await reportUngradable(load.targets, context)
    // Suites that share a targets file load the same judge several times.
    for (const judge of load.judges.values()) judges.set(JSON.stringify(judge.written), judge)
    judging.set(suite, load.judges)
    if (load.known) known.push(load.known)
  }
  await reportSharedTests(selected, { options, files, diagnostics })
  if (secrets.size > 0) {
    const names = [
      ...known.flatMap(({ targets }) => [...namesOfTargets(targets)]),
      ...selected.flatMap(({ suite, tests }) => [...namesOfSuite(suite, tests)]),
    ]
    dropNamedSecrets(secrets, names, known, { diagnostics, types: options.types })
  }
  return {
    armsOf: (suite, test) => {
      const names = armNamesFor(suite, test, options)
      const known = arms.get(names) ?? armsNamed(names, loaded.get(suite))
      arms.set(names, known)
      return known
    },
    all: () =>
      [...loaded, ...judging].flatMap(([suite, targets]) =>
        [...targets.values()].map(target => [suite, target] as const),
      ),
    judges: () => [...judges.values()],
    judgeOf: ({ suite, target }, check, member) => {
      const judges = judgesFor(check, target, suite, options)
      const judge = judges.length === 1 ? judges[0] : judges.find(({ name }) => name === member)
      return judge && judging.get(suite)?.get(judge.name)
    },
    secrets,
    diagnostics: diagnostics.sorted(),
  }
}

function armsNamed(names: readonly ArmName[], targets: ReadonlyMap<string, Target> | undefined): readonly Arm[] {
  return names.flatMap(({ name, is_control, control_of, variant }) => {
    const target = targets?.get(name)
    return target ? [{ target, is_control, control_of, variant }] : []
  })
}

/** Reports checks that this machine cannot grade, if they apply to a target of their test. */
async function reportUngradable(answering: ReadonlyMap<string, Target>, context: SuiteTargetsContext): Promise<void> {
  if (!someEvaluator(context.tests, needsMachine)) return
  const checks = new Set<Check>()
  for (const test of context.tests) {
    for (const target of gradedTargets(test, answering, context)) {
      for (const check of applicableChecks(test.checks, target)) if (needsMachine(check.evaluator)) checks.add(check)
    }
  }
  for (const { at, evaluator, config, files } of checks) {
    const message = await evaluator.validate?.machine?.(config, files, context.options.host)
    if (message !== undefined) await reportOn({ code: 'not-available', at, message }, context)
  }
}

function needsMachine({ validate }: Evaluator): boolean {
  return validate?.machine !== undefined
}

/** Adds the diagnostics of targets that a run would report before its first attempt. */
export async function addTargetDiagnostics(
  loaded: LoadResult,
  types: readonly TargetType[],
  host: Host,
  defaults?: LocatedDefaultTargets,
): Promise<LoadResult> {
  const selected = loaded.suites.map(suite => ({ suite, tests: suite.tests }))
  const targets = await loadTargets(selected, { host, types, defaults })
  // A targets file that is given as an argument is already checked.
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
