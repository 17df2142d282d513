import type { ControlOf } from '../../model/attempt.ts'
import type { Check } from '../../model/check.ts'
import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import type { Test } from '../../model/test.ts'
import type { LocatedDefaultTargets } from '../config.ts'

/** Targets given on the command line, and defaults. */
export interface TargetNameOptions {
  /** Targets for all tests. */
  readonly names?: readonly string[] | undefined
  readonly defaults?: LocatedDefaultTargets | undefined
}

/** The name of a target, and where it is written. */
export interface TargetName {
  readonly name: string
  readonly at: Origin
}

/** The name of an arm: a target of a test that is compared with others. */
export interface ArmName extends TargetName {
  /** The name of its target. */
  readonly base: string
  /** The variant of the suite that it asks. */
  readonly variant?: string | undefined
  readonly is_control?: true
  /** The only arms that it is the control of. */
  readonly control_of?: ControlOf
  /** The target that it is a copy of, without a field. */
  readonly ablates?: string
}

/** Resolves the names of the targets of a test, with their locations. */
export function targetNamesFor(
  suite: Suite,
  test: Test,
  { names, defaults }: TargetNameOptions,
): readonly TargetName[] {
  if (names && names.length > 0) return [...new Set(names)].map(name => ({ name, at: suite.at }))
  for (const { execution, at } of [test, suite]) {
    if (execution.target !== undefined) return [{ name: execution.target, at: at.child('execution', 'target') }]
    if (execution.targets) {
      const { targets } = execution
      return [...new Set(targets)].map(name => ({
        name,
        at: at.child('execution', 'targets', targets.indexOf(name)),
      }))
    }
  }
  if (!defaults?.targets) return [{ name: 'default', at: suite.at }]
  const { targets, at } = defaults
  return [...new Set(targets)].map(name => ({ name, at: at?.child('target', targets.indexOf(name)) ?? suite.at }))
}

/** The name of a judge. */
export interface Judge {
  readonly name: string
  /** Where it is named; undefined for the default name `judge`. */
  readonly at?: Origin
}

/** The judge given on the command line, and defaults. */
export interface JudgeOptions {
  readonly judge?: string | undefined
  readonly defaults?: LocatedDefaultTargets | undefined
}

/** Resolves the judges of a check: its panel, or the only one. */
export function judgesFor(check: Check, target: Target, suite: Suite, options: JudgeOptions): readonly Judge[] {
  const { judges } = check.evaluator.judge?.(check.config) ?? {}
  return (
    judges?.map((name, index) => ({ name, at: check.at.child('judges', index) })) ?? [
      judgeFor(check, target, suite, options),
    ]
  )
}

/** Resolves the only judge of a check: named by the check, the command line, the target or the configuration, otherwise `judge`. */
function judgeFor(check: Check, target: Target, suite: Suite, { judge, defaults = {} }: JudgeOptions): Judge {
  const own = check.evaluator.judge?.(check.config).target
  if (own !== undefined) return { name: own, at: check.at.child('target') }
  if (judge !== undefined) return { name: judge, at: suite.at }
  const { judge_target } = target.settings
  if (judge_target !== undefined) return { name: judge_target, at: target.at.child('judge_target') }
  if (defaults.judge === undefined) return { name: 'judge' }
  return { name: defaults.judge, at: defaults.at?.child('judge') ?? suite.at }
}
