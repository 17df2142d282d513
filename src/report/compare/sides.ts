import { groupBy } from '../../lib/collections.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { UserError } from '../../model/user-error.ts'
import { type Outcome, outcomeOf } from '../outcome/run-outcome.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import type { Side } from './comparison.ts'
import { type Judges, judgesOf } from './judges.ts'

/** A run that takes part in a comparison. */
export interface ComparedRun {
  readonly name: string
  /** Undefined where its results do not tell. */
  readonly run_id: string | undefined
  /** The run whose answers it judged again. */
  readonly source: string | undefined
  /** The targets that judged; undefined where there is no `run.json` to tell. */
  readonly judges: Judges | undefined
  readonly outcome: Outcome
  /** Whether planned attempts were not made. */
  readonly is_unfinished: boolean
  readonly targets: ReadonlyMap<string, readonly TestOutcome[]>
}

/** What is compared, and the targets that are not because the other run does not have them. */
export interface SideSelection {
  readonly sides: readonly (readonly [Side, Side])[]
  /** Targets of the first run that the second does not have. */
  readonly missing_targets: readonly string[]
  /** Targets of the second run that the first does not have. */
  readonly new_targets: readonly string[]
}

/** `name` is what the user called the run. */
export function comparedRunOf(name: string, run: RunReader): ComparedRun {
  const outcome = outcomeOf(run)
  return {
    name: run.info?.run_id ?? name,
    run_id: run.info?.run_id ?? firstOf(run.results())?.run_id,
    source: run.info?.source,
    judges: judgesOf(run),
    outcome,
    is_unfinished: outcome.not_run > 0,
    targets: groupBy(outcome.tests, ({ target }) => target),
  }
}

function firstOf<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item
  return undefined
}

/** Chooses two targets of one run, or the targets of two. */
export function chooseSides(runs: readonly ComparedRun[], targets: readonly string[]): SideSelection {
  const [first, second] = runs
  if (!first) throw new UserError('Name two runs, or one run and two targets.')
  if (!second) {
    const [before, after] = targetsOfOne(first, targets)
    return {
      sides: [[sideOf(first, before, before), sideOf(first, after, after)]],
      missing_targets: [],
      new_targets: [],
    }
  }
  const isAll = targets.length === 0 && !isOneEach(first, second)
  const missing = (from: ComparedRun, to: ComparedRun) =>
    isAll ? [...from.targets.keys()].filter(target => !to.targets.has(target)) : []
  return {
    sides: targetsOfTwo(first, second, targets).map(([before, after]) => {
      const label = ({ name, targets }: ComparedRun, target: string) =>
        targets.size === 1 && before === after ? name : `${name} ${target}`
      return [sideOf(first, before, label(first, before)), sideOf(second, after, label(second, after))]
    }),
    missing_targets: missing(first, second),
    new_targets: missing(second, first),
  }
}

type TargetNames = readonly [before: string, after: string]

function targetsOfOne(run: ComparedRun, targets: readonly string[]): TargetNames {
  const [before, after, ...more] = targets.length > 0 ? targets : run.targets.keys()
  if (before === undefined || after === undefined || more.length > 0)
    throw new UserError(
      `Name two runs, or two targets of this one with --target: it has ${[...run.targets.keys()].join(', ')}.`,
    )
  return [before, after]
}

function targetsOfTwo(first: ComparedRun, second: ComparedRun, targets: readonly string[]): TargetNames[] {
  if (targets.length > 2) throw new UserError('Name one target for both runs, or one of each.')
  const [before, after = before] = targets.length > 0 ? targets : onlyTargets(first, second)
  if (before !== undefined && after !== undefined) return [[before, after]]
  const common = [...first.targets.keys()].filter(target => second.targets.has(target))
  if (common.length === 0) throw new UserError('The runs have no target in common: choose one of each with --target.')
  return common.map(target => [target, target])
}

/** Two runs of one target each are compared whatever the targets are called. */
function isOneEach(first: ComparedRun, second: ComparedRun): boolean {
  return first.targets.size === 1 && second.targets.size === 1
}

function onlyTargets(first: ComparedRun, second: ComparedRun): string[] {
  return isOneEach(first, second) ? [...first.targets.keys(), ...second.targets.keys()] : []
}

function sideOf({ name, run_id, targets }: ComparedRun, target: string, label: string): Side {
  const tests = targets.get(target)
  if (!tests) throw new UserError(`There is no target ${target} in ${name}: it has ${[...targets.keys()].join(', ')}.`)
  return { label, run: name, target, run_id, tests }
}
