import { UserError } from '../../model/user-error.ts'
import type { ComparedRun } from './compared-run.ts'
import type { Side } from './comparison.ts'

/** The sides to compare, and the targets that only one run has. */
export interface SideSelection {
  readonly sides: readonly (readonly [Side, Side])[]
  /** Targets that only the first run has. */
  readonly missing_targets: readonly string[]
  /** Targets that only the second run has. */
  readonly new_targets: readonly string[]
}

/** Selects two targets of one run, or matching targets of two runs. */
export function selectSides(runs: readonly ComparedRun[], targets: readonly string[]): SideSelection {
  const [first, second] = runs
  if (!first) throw new UserError('Name two runs, or one run and two targets.')
  return second ? sidesOfTwoRuns(first, second, targets) : sidesOfOneRun(first, targets)
}

function sidesOfOneRun(run: ComparedRun, targets: readonly string[]): SideSelection {
  const [before, after, ...more] = targets.length > 0 ? targets : run.targets.keys()
  if (before === undefined || after === undefined || more.length > 0)
    throw new UserError(
      `Name two runs, or two targets of this run with --target. Its targets: ${[...run.targets.keys()].join(', ')}.`,
    )
  return { sides: [[sideOf(run, before, before), sideOf(run, after, after)]], missing_targets: [], new_targets: [] }
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
    missing_targets: isSelected ? [] : targetsOnlyIn(first, second),
    new_targets: isSelected ? [] : targetsOnlyIn(second, first),
  }
}

type TargetNames = readonly [before: string, after: string]

function matchTargets(first: ComparedRun, second: ComparedRun, targets: readonly string[]): TargetNames[] {
  if (targets.length > 2) throw new UserError('Name one target for both runs, or one of each run.')
  const [before, after = before] = targets.length > 0 ? targets : onlyTargets(first, second)
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

function sideOf({ name, run_id, targets }: ComparedRun, target: string, label: string): Side {
  const tests = targets.get(target)
  if (!tests) throw new UserError(`${name} has no target ${target}. Its targets: ${[...targets.keys()].join(', ')}.`)
  return { label, run: name, target, run_id, tests }
}
