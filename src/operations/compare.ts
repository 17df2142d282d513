import type { Host } from '../model/host.ts'
import type { TestFilter } from '../model/test-filter.ts'
import type { CompareGateOptions } from '../report/compare/compare-gate.ts'
import { compareRuns, type RunComparison } from '../report/compare/compare-runs.ts'
import type { ComparedRun } from '../report/compare/compared-run.ts'
import { readCompared } from './baselines/saved-results.ts'
import { projectCalibrations } from './project-calibrations.ts'

/** What decides a comparison. */
export interface CompareOptions {
  /** In one run, its two targets; in several runs, one target for all or one of each. Default: all that both have. */
  readonly targets?: readonly string[] | undefined
  /** In one run, the target that the others are compared with. Default: its control arm. */
  readonly control?: string | undefined
  /** How much worse the second may score, from 0 to 1. Default: 0. */
  readonly margin?: number | undefined
  readonly gates: CompareGateOptions
  /** Compares only tests that it selects in any of the runs. */
  readonly filter?: TestFilter | undefined
  /** Also compares slices: `tag`, `suite`, `target` or `metadata.KEY`. */
  readonly by?: string | undefined
  readonly runs_dir?: string | undefined
}

/** Compares each later run or baseline with the first, or targets of one run, test by test. */
export async function compare(runs: readonly string[], options: CompareOptions, host: Host): Promise<RunComparison> {
  const read: ComparedRun[] = []
  const { targets = [], control, margin = 0, gates, filter, by } = options
  const calibrations = await projectCalibrations(host)
  for (const name of runs) read.push(await readCompared(name, { filter, by, calibrations }, options.runs_dir, host))
  return compareRuns(read, { targets, control, margin, gates, filter })
}
