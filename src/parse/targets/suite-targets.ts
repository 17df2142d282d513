import { dirname, resolve } from 'node:path'
import { quoteCode } from '../../lib/text/quote.ts'
import type { Target } from '../../model/target.ts'
import { addAblations } from './ablate-targets.ts'
import { withAbsentServers } from './absent-servers.ts'
import { addedFolders } from './added-folders.ts'
import { armNamesFor, loneControls } from './arm-names.ts'
import { broughtTargets, targetsWithoutFile } from './brought-targets.ts'
import { reportUnsupportedSettings } from './check-agent-settings.ts'
import { reportApplicability } from './check-applicability.ts'
import { reportCommandsWithoutWorkspace } from './check-commands.ts'
import { reportMissingComparisons } from './check-comparisons.ts'
import { reportMockTargets } from './check-mocks.ts'
import { reportMissingWorkspaces } from './check-needs.ts'
import { loadJudges } from './load-judges.ts'
import { loadTarget, type TargetContext } from './load-target.ts'
import { reportOn, reportUnablated, reportUnknownTarget, type SuiteTargetsContext } from './suite-targets-context.ts'
import type { ArmName } from './target-names.ts'
import { collectSecrets, type TargetsWithVariables } from './target-secrets.ts'
import { findTargetsFile, readTargetsFile, type TargetsFile } from './targets-file.ts'
import { findVariables } from './variables.ts'
import { targetInArm } from './variant-arms.ts'

/** The loaded targets of one suite. */
export interface SuiteTargets {
  /** Targets that answer, by name. */
  readonly targets: ReadonlyMap<string, Target>
  /** Targets that judge, by name. They are loaded even if a stand-in answers under the same name. */
  readonly judges: ReadonlyMap<string, Target>
  /** All targets of the file; undefined without a file. */
  readonly known: TargetsWithVariables | undefined
}

/** Loads the targets that the selected tests of a suite need. */
export async function loadSuiteTargets(context: SuiteTargetsContext): Promise<SuiteTargets> {
  const { suite, options, files, diagnostics, secrets } = context
  const { host, types } = options
  const written = await readFileOfSuite(context)
  const file = written && options.ablate !== undefined ? addAblations(written, options.ablate) : written
  const folder = dirname(suite.file)
  const variables = await findVariables(folder, files)
  const added = addedFolders(suite)
  const targetContext = { host, types, variables, suite: folder, added, secrets, diagnostics }
  collectSecrets(file?.targets ?? [], targetContext)
  const targets = await loadAnsweringTargets(file, targetContext, context)
  await reportApplicability(targets, file, context)
  await reportMockTargets(targets, context)
  await reportUnsupportedSettings(targets, context)
  await reportCommandsWithoutWorkspace(targets, context)
  await reportMissingWorkspaces(targets, context)
  await reportMissingComparisons(targets, context)
  const judges = await loadJudges(targets, file, targetContext, context)
  await reportLoneControls(context)
  return { targets, judges, known: file && { targets: file.targets, variables } }
}

async function loadAnsweringTargets(
  file: TargetsFile | undefined,
  targetContext: TargetContext,
  context: SuiteTargetsContext,
): Promise<ReadonlyMap<string, Target>> {
  const { standIn } = context.options
  const targets = new Map<string, Target>()
  for (const arm of answeringArms(context)) {
    const target = standIn?.(arm.name, arm.at) ?? (file && (await loadArm(arm, file, targetContext, context)))
    if (target) targets.set(arm.name, targetInArm(target, arm))
  }
  return withAbsentServers(targets, context.suite, context.options.host)
}

async function loadArm(
  arm: ArmName,
  file: TargetsFile,
  targetContext: TargetContext,
  context: SuiteTargetsContext,
): Promise<Target | undefined> {
  const raw = file.targets.find(({ name }) => name === arm.base)
  if (arm.ablates !== undefined && raw?.ablates !== arm.ablates) {
    reportUnablated(arm.ablates, file, context)
    return undefined
  }
  if (raw) return loadTarget(raw, targetContext)
  await reportUnknownTarget(arm.base, arm.at, file, context)
  return undefined
}

/** Returns the arms of all tests, each once, with its first location. */
function answeringArms({ suite, tests, options }: SuiteTargetsContext): Iterable<ArmName> {
  const arms = new Map<string, ArmName>()
  for (const test of tests) {
    for (const arm of armNamesFor(suite, test, options)) if (!arms.has(arm.name)) arms.set(arm.name, arm)
  }
  return arms.values()
}

/** Reports control arms that are the only target of a test. */
async function reportLoneControls(context: SuiteTargetsContext): Promise<void> {
  const { suite, tests, options } = context
  for (const { name, at } of loneControls(suite, tests, options)) {
    const message = `the control arm ${quoteCode(name)} is the only target: there is nothing to compare it with`
    const hint = 'name the other arms in `execution.targets` or with `--target`, or name another control arm'
    await reportOn({ code: 'no-comparison', at, message, hint }, context)
  }
}

async function readFileOfSuite(context: SuiteTargetsContext): Promise<TargetsFile | undefined> {
  const { suite, options, files, diagnostics } = context
  const { file: given, host, standIn } = options
  const brought = broughtTargets(suite)
  const file = given === undefined ? await findTargetsFile(dirname(suite.file), files) : resolve(host.cwd, given)
  if (file !== undefined) return readTargetsFile(file, files, diagnostics, undefined, brought)
  if (brought.length > 0) return targetsWithoutFile(suite, brought, diagnostics)
  if (standIn) return undefined
  const message = 'no targets file found'
  const hint =
    'create `.assay/targets.yaml`, such as `targets: [{name: default, provider: cli, command: [node, agent.mjs]}]`; `assay init` creates one'
  await reportOn({ code: 'no-targets', at: suite.at, message, hint }, context)
  return undefined
}
