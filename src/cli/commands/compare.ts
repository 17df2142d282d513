import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { RunComparison } from '../../report/compare/compare-runs.ts'
import type { CommandContext } from '../command-context.ts'
import { COMPARE_CODES } from '../compare-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { collect, example, share } from '../options.ts'
import { warningText } from '../terminal/progress.ts'

interface Options {
  readonly target?: readonly string[]
  readonly margin?: number
  readonly failOnRegression?: boolean
  readonly failOnNewFailures?: boolean
  readonly requireConclusive?: boolean
  readonly requireBetter?: boolean
  readonly runsDir?: string
  readonly json?: boolean
}

export function compareCommand(context: CommandContext): Command {
  return new Command('compare')
    .description('Compare two runs, or two targets of one run, test by test, with a statistical verdict.')
    .argument('<runs...>', 'one or two runs: ids or their beginnings, latest, folders, or reports (.jsonl, .json)')
    .option(
      '--target <name>',
      'for one run: the two targets to compare; for two runs: a target of each (repeatable)',
      collect,
    )
    .option('--margin <score>', 'how much lower the second score may be, from 0 to 1', share)
    .option('--fail-on-regression', 'exit with 1 if the second is worse, has more errors or a broken test')
    .option('--fail-on-new-failures', 'exit with 1 if a test passed on the first and not on the second')
    .option('--require-conclusive', 'exit with 4 if a comparison is inconclusive')
    .option('--require-better', 'exit with 1 unless the second is better, with 4 if that is inconclusive')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `${CODES_HELP}${example('assay compare 20261115 latest', 'assay compare main.jsonl latest --fail-on-regression --fail-on-new-failures')}`,
    )
    .action((runs, options, command: Command) => {
      if (runs.length > 2) command.error('error: name one run, or two')
      return context.run(() => compareNamed(runs, options, context))
    })
}

const CODES_HELP = `
Exit codes:
  0  compared, and no given option failed
  1  --fail-on-regression, --fail-on-new-failures or --require-better failed
  2  an unknown run or target, results that cannot be read, or, with one of
     these options, a run that is compared with itself
  3  with one of these options: a run is partial, or lacks a target
  4  inconclusive, with --require-conclusive or --require-better
  5  no test is the same on both sides
`

async function compareNamed(names: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ compare }, { runComparisonData }, { runComparisonText }] = await Promise.all([
    import('../../operations/compare.ts'),
    import('../../report/compare/compare-runs.ts'),
    import('../../report/compare/run-comparison-text.ts'),
  ])
  const gates = {
    fail_on_regression: options.failOnRegression ?? false,
    fail_on_new_failures: options.failOnNewFailures ?? false,
    require_conclusive: options.requireConclusive ?? false,
    require_better: options.requireBetter ?? false,
  }
  const { target: targets, margin, runsDir: runs_dir } = options
  const compared = await compare(names, { targets, margin, gates, runs_dir }, host)
  await warn(compared, context)
  if (options.json) terminal.json(runComparisonData(compared, gates))
  else terminal.out(runComparisonText(compared, gates, terminal.palette('stdout')))
  return COMPARE_CODES[compared.gate.result]
}

const OTHER_JUDGES = 'the two runs were judged by different models: differences may come from the judges'

/** Warns of what limits the comparison as a whole. */
async function warn(
  { runs, missing_targets, new_targets }: RunComparison,
  { terminal }: CommandContext,
): Promise<void> {
  const { judgesDiffer } = await import('../../report/compare/compared-run.ts')
  const [first, second] = runs
  if (judgesDiffer(first?.judges, second?.judges))
    terminal.err(`${warningText(OTHER_JUDGES, terminal.palette('stderr'))}\n`)
  for (const [index, targets] of [missing_targets, new_targets].entries()) {
    const name = printableLine(runs[index]?.name ?? '')
    if (targets.length > 0) terminal.err(`only in ${name}: ${targets.map(printableLine).join(', ')}\n`)
  }
}
