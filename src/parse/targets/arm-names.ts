import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import { ablatedName } from './ablate-targets.ts'
import { type ArmName, type TargetName, type TargetNameOptions, targetNamesFor } from './target-names.ts'
import { variantArms } from './variant-arms.ts'

/** The targets of a test, and the one that the others are compared with. */
export interface ArmOptions extends TargetNameOptions {
  /** The control arm; overrides tests and suites. */
  readonly control?: string | undefined
  /** A field: the control arm of each target is a copy without it. */
  readonly ablate?: string | undefined
  /** Whether the given names are the only arms: a control arm is neither added nor marked. */
  readonly is_exact?: boolean | undefined
}

/** The arms of the tests that name none themselves, by options and suite: a suite may have many such tests. */
const sharedArms = new WeakMap<ArmOptions, WeakMap<Suite, readonly ArmName[]>>()

/** Resolves the names of the arms of a test: its targets and, where it has one, the control arm. */
export function armNamesFor(suite: Suite, test: Test, options: ArmOptions): readonly ArmName[] {
  const { target, targets, control } = test.execution
  if (target !== undefined || targets || control !== undefined) return resolveArms(suite, test, options)
  const known = sharedArms.get(options)?.get(suite)
  if (known) return known
  const arms = resolveArms(suite, test, options)
  const bySuite = sharedArms.get(options) ?? new WeakMap<Suite, readonly ArmName[]>()
  sharedArms.set(options, bySuite.set(suite, arms))
  return arms
}

function resolveArms(suite: Suite, test: Test, options: ArmOptions): readonly ArmName[] {
  const targets = targetNamesFor(suite, test, options)
  const { ablate, is_exact } = options
  const control = controlFor(suite, test, options)
  if (suite.variants) return variantArms(targets, suite.variants, { control, ablate, is_exact })
  const names = targets.map(armOf)
  if (ablate !== undefined && !is_exact)
    return names.flatMap(arm => {
      const copy = armOf({ name: ablatedName(arm.name, ablate), at: arm.at })
      return [arm, { ...copy, is_control: true, ablates: arm.name, control_of: arm.name }]
    })
  if (!control) return names
  if (!names.some(({ name }) => name === control.name)) return [...names, { ...armOf(control), is_control: true }]
  return names.map(each => (each.name === control.name ? { ...each, is_control: true } : each))
}

function armOf(target: TargetName): ArmName {
  return { ...target, base: target.name }
}

/**
 * Resolves the control arm of a test. With targets on the command line, the control arm of a suite counts only if it is
 * one of several: the suite has named it for its own targets.
 */
function controlFor(suite: Suite, test: Test, { control, names = [], is_exact }: ArmOptions): TargetName | undefined {
  if (is_exact) return undefined
  if (control !== undefined) return { name: control, at: suite.at }
  const written = writtenControl(suite, test)
  if (names.length === 0) return written
  return names.length > 1 && written && names.includes(written.name) ? written : undefined
}

function writtenControl(suite: Suite, test: Test): TargetName | undefined {
  for (const { execution, at } of [test, suite]) {
    if (execution.control !== undefined) return { name: execution.control, at: at.child('execution', 'control') }
  }
  return undefined
}

/** Returns the control arms of tests that have no other arms. */
export function loneControls(suite: Suite, tests: readonly Test[], options: ArmOptions): readonly ArmName[] {
  const lone: ArmName[] = []
  for (const test of tests) {
    const arms = armNamesFor(suite, test, options)
    if (arms[0] && arms.every(({ is_control }) => is_control)) lone.push(arms[0])
  }
  return lone
}
