import { nodeHost } from '../host/node.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { findRun } from '../record/find-run.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import type { CompareGateResult } from '../report/compare/compare-gate.ts'
import { compareRuns, type RunComparison, runComparisonData } from '../report/compare/compare-runs.ts'
import { type ComparedRun, comparedRunOf, judgesDiffer } from '../report/compare/compared-run.ts'
import { runComparisonText } from '../report/compare/run-comparison-text.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { orMistake } from './or-mistake.ts'
import { warningText } from './terminal/progress.ts'
import { paletteFor, shownPath, terminal } from './terminal/terminal.ts'

interface CompareCommandOptions {
  readonly target?: readonly string[]
  readonly margin?: number
  readonly failOnRegression?: boolean
  readonly failOnNewFailures?: boolean
  readonly requireConclusive?: boolean
  readonly runsDir?: string
  readonly json?: boolean
}

/** `assay compare`: two runs, or two targets of one, test by test. */
export function compareCommand(names: readonly string[], options: CompareCommandOptions): Promise<ExitCode> {
  return orMistake(async () => {
    const host = nodeHost()
    const { runs_folder } = await findProjectFolders(options.runsDir, host)
    const runs: ComparedRun[] = []
    for (const name of names) runs.push(await wholeRun(name, runs_folder, host))
    const gates = {
      fail_on_regression: options.failOnRegression ?? false,
      fail_on_new_failures: options.failOnNewFailures ?? false,
      require_conclusive: options.requireConclusive ?? false,
    }
    const compared = compareRuns(runs, { targets: options.target ?? [], margin: options.margin ?? 0, gates })
    warn(compared)
    if (options.json) terminal.out(terminalSafeJson(`${JSON.stringify(runComparisonData(compared, gates), null, 2)}\n`))
    else terminal.out(runComparisonText(compared, gates, paletteFor(process.stdout)))
    return CODES[compared.gate.result]
  })
}

const CODES: Readonly<Record<CompareGateResult['result'], ExitCode>> = {
  passed: EXIT.ok,
  failed: EXIT.failed,
  'same run': EXIT.mistakes,
  incomplete: EXIT.incomplete,
  inconclusive: EXIT.inconclusive,
  'nothing to compare': EXIT.nothing,
}

/** Reads a run that has no damage: what is missing in a damaged one could decide. */
async function wholeRun(name: string, runsFolder: string, host: Host): Promise<ComparedRun> {
  const found = await findRun(name, runsFolder, host)
  const run = await readRun(found, host)
  try {
    demandWhole(run, shownPath(found.results))
    return comparedRunOf(name, run)
  } finally {
    run.close()
  }
}

function demandWhole(run: OpenRun, file: string): void {
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

const OTHER_JUDGES = 'the two runs were judged by different models: what differs may be the judges'

/** Says what may be wrong with the comparison as a whole. */
function warn({ runs, missing_targets, new_targets }: RunComparison): void {
  const [first, second] = runs
  if (judgesDiffer(first?.judges, second?.judges)) {
    terminal.err(`${warningText(OTHER_JUDGES, paletteFor(process.stderr))}\n`)
  }
  for (const [index, targets] of [missing_targets, new_targets].entries()) {
    const name = printableLine(runs[index]?.name ?? '')
    if (targets.length > 0) terminal.err(`only in ${name}: ${targets.map(printableLine).join(', ')}\n`)
  }
}
