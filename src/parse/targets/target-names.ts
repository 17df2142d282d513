import type { Origin } from '../../model/location.ts'
import type { Suite } from '../../model/suite.ts'
import type { Test } from '../../model/test.ts'
import type { LocatedDefaultTargets } from '../config.ts'

/** Targets given on the command line, and defaults. */
export interface TargetNameOptions {
  /** Targets for all tests. */
  readonly names?: readonly string[] | undefined
  readonly defaults?: LocatedDefaultTargets | undefined
}

/** Resolves the names of the targets of a test, with their locations. */
export function targetNamesFor(
  suite: Suite,
  test: Test,
  { names, defaults }: TargetNameOptions,
): readonly { name: string; at: Origin }[] {
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
