import { plural } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import type { TestFilter } from '../model/test-filter.ts'
import { UserError } from '../model/user-error.ts'
import { findRun } from '../record/find-run.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import type { CompareGateOptions } from '../report/compare/compare-gate.ts'
import { compareRuns, type RunComparison } from '../report/compare/compare-runs.ts'
import { type ComparedRun, comparedRunOf, type ReadOptions } from '../report/compare/compared-run.ts'
import { displayPath } from './display-path.ts'

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

/** Compares each later run with the first, or targets of one run, test by test. */
export async function compare(runs: readonly string[], options: CompareOptions, host: Host): Promise<RunComparison> {
  const { runs_folder } = await findProjectFolders(options.runs_dir, host)
  const read: ComparedRun[] = []
  const { targets = [], control, margin = 0, gates, filter, by } = options
  for (const name of runs) read.push(await wholeRun(name, runs_folder, { filter, by }, host))
  return compareRuns(read, { targets, control, margin, gates, filter })
}

/** Reads a run that has no damage: what is missing in a damaged one could decide. */
async function wholeRun(name: string, runsFolder: string, options: ReadOptions, host: Host): Promise<ComparedRun> {
  const found = await findRun(name, runsFolder, host)
  const run = await readRun(found, host)
  try {
    requireWhole(run, displayPath(found.results, host))
    return comparedRunOf(name, run, options)
  } finally {
    run.close()
  }
}

function requireWhole(run: OpenRun, file: string): void {
  const { damaged } = run
  const [first] = run.facts()
  if (!first && !run.info && damaged > 0)
    throw new UserError(`${file} is not a run: it has no results that can be read.`)
  if (damaged > 0)
    throw new UserError(
      `Cannot compare ${file}: ${plural(damaged, 'result')} ${damaged === 1 ? 'is' : 'are'} damaged or missing.`,
      'Make the run again, or restore the file: the results that are missing could decide.',
    )
  if (!first) throw new UserError(`Cannot compare ${file}: it has no results.`)
}
