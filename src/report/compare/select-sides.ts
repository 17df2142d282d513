import { plural } from '../../lib/text/format.ts'
import { UserError } from '../../model/user-error.ts'
import { allTests } from '../outcome/marked-tests.ts'
import { armSides, hasControl } from './arm-comparisons.ts'
import type { ComparedRun } from './compared-run.ts'
import type { Side } from './comparison.ts'

/** What is compared with what. */
export interface SideOptions {
  /** Names of targets; empty for all that both sides have. */
  readonly targets: readonly string[]
  /** In one run, the target that the others are compared with. Default: the control arm of the run. */
  readonly control?: string | undefined
}

/** A target that one run has and another lacks. */
export interface TargetGap {
  readonly run: string
  readonly target: string
}

/** The sides to compare, and the targets that only one run has. */
export interface SideSelection {
  readonly sides: readonly (readonly [Side, Side])[]
  /** Targets of the first run that a later run lacks. */
  readonly missing_targets: readonly TargetGap[]
  /** Targets of a later run that the first run lacks. */
  readonly new_targets: readonly TargetGap[]
}

/** Selects targets of one run, or matching targets of the first and of each later run. */
export function selectSides(runs: readonly ComparedRun[], options: SideOptions): SideSelection {
  const [first, ...later] = runs
  if (!first) throw new UserError('Name runs to compare, or one run with several targets.')
  if (later.length === 0) return { sides: sidesOfOneRun(first, options), missing_targets: [], new_targets: [] }
  if (options.control !== undefined)
    throw new UserError(
      '--control names a target of one run, and several runs are given.',
      'Name one run, or leave out --control: each later run is compared with the first.',
    )
  requireTargetCount(options.targets, runs.length)
  const selections = later.map((run, index) => sidesOfTwoRuns(first, run, targetsFor(options.targets, index + 1)))
  return {
    sides: selections.flatMap(({ sides }) => sides),
    missing_targets: selections.flatMap(({ missing_targets }) => missing_targets),
    new_targets: selections.flatMap(({ new_targets }) => new_targets),
  }
}

/** All targets against the control, two named targets, or the only two. */
function sidesOfOneRun(run: ComparedRun, { targets, control }: SideOptions): (readonly [Side, Side])[] {
  const isControlled = control === undefined && targets.length < 2 && hasControl(run.outcome)
  if (isControlled) return sidesOfArms(run, targets)
  const names = targets.length > 0 ? targets : [...run.targets.keys()]
  const others = names.filter(name => name !== control)
  const [before, ...after] = control === undefined ? names : [control, ...others]
  if (before === undefined || after.length === 0 || (control === undefined && after.length > 1))
    throw new UserError(
      `Name two runs, two targets of this run with --target, or the one that all others are compared with by --control. Its targets: ${targetList(run)}.`,
    )
  return after.map(target => [sideOf(run, before, before), sideOf(run, target, target)] as const)
}

/** The targets, or the one that is named, against the control arms that the run recorded. */
function sidesOfArms(run: ComparedRun, targets: readonly string[]): (readonly [Side, Side])[] {
  for (const target of targets) sideOf(run, target, target)
  const sides = armSides(allTests(run.outcome)).filter(
    ([, { label }]) => targets.length === 0 || targets.includes(label),
  )
  if (sides.length === 0)
    throw new UserError(
      `Nothing to compare ${targets.join(', ') || 'the control arm'} with. The targets of the run: ${targetList(run)}.`,
    )
  const withRun = (side: Side): Side => ({ ...side, run: run.name, run_id: run.run_id })
  return sides.map(([before, after]) => [withRun(before), withRun(after)] as const)
}

/** Several runs have one target for all of them, or one of each. */
function requireTargetCount(targets: readonly string[], runs: number): void {
  if (targets.length <= 1 || targets.length === runs) return
  const all = runs === 2 ? 'both runs' : `all ${runs} runs`
  throw new UserError(`Name one target for ${all}, or one of each run: ${plural(targets.length, '--target')} given.`)
}

/** The targets of the first and of a later run. */
function targetsFor([first, ...others]: readonly string[], index: number): readonly string[] {
  return first === undefined ? [] : [first, others[index - 1] ?? first]
}

function sidesOfTwoRuns(first: ComparedRun, second: ComparedRun, targets: readonly string[]): SideSelection {
  const sides = matchTargets(first, second, targets).map(([before, after]) => {
    const label = ({ name, targets }: ComparedRun, target: string) =>
      targets.size === 1 && before === after ? name : `${name} ${target}`
    return [sideOf(first, before, label(first, before)), sideOf(second, after, label(second, after))] as const
  })
  const isSelected = targets.length > 0 || haveOneTargetEach(first, second)
  return {
    sides,
    missing_targets: isSelected ? [] : targetsOnlyIn(first, second).map(target => ({ run: second.name, target })),
    new_targets: isSelected ? [] : targetsOnlyIn(second, first).map(target => ({ run: second.name, target })),
  }
}

type TargetNames = readonly [before: string, after: string]

function matchTargets(first: ComparedRun, second: ComparedRun, targets: readonly string[]): TargetNames[] {
  const [before, after] = targets.length > 0 ? targets : onlyTargets(first, second)
  if (before !== undefined && after !== undefined) return [[before, after]]
  const common = [...first.targets.keys()].filter(target => second.targets.has(target))
  if (common.length === 0) throw new UserError('The runs have no common target: choose one of each run with --target.')
  return common.map(target => [target, target])
}

/** Two runs with one target each are compared regardless of the target names. */
function onlyTargets(first: ComparedRun, second: ComparedRun): string[] {
  return haveOneTargetEach(first, second) ? [...first.targets.keys(), ...second.targets.keys()] : []
}

function haveOneTargetEach(first: ComparedRun, second: ComparedRun): boolean {
  return first.targets.size === 1 && second.targets.size === 1
}

function targetsOnlyIn(run: ComparedRun, other: ComparedRun): string[] {
  return [...run.targets.keys()].filter(target => !other.targets.has(target))
}

function sideOf(run: ComparedRun, target: string, label: string): Side {
  const { name, run_id, targets } = run
  const tests = targets.get(target)
  if (!tests) throw new UserError(`${name} has no target ${target}. Its targets: ${targetList(run)}.`)
  const carried = run.carried.filter(test => test.target === target)
  return { label, run: name, target, run_id, tests, carried }
}

function targetList({ targets }: ComparedRun): string {
  return [...targets.keys()].join(', ')
}
