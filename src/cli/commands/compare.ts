import { Command } from 'commander'
import { groupBy } from '../../lib/collections.ts'
import { printableLine } from '../../lib/text/escape.ts'
import type { RunComparison } from '../../report/compare/compare-runs.ts'
import type { TargetGap } from '../../report/compare/select-sides.ts'
import type { CommandContext } from '../command-context.ts'
import { COMPARE_CODES } from '../compare-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { byOption, collect, example, share, tagOption, testIdOption } from '../options.ts'
import { warningText } from '../terminal/progress.ts'

interface Options {
  readonly target?: readonly string[]
  readonly control?: string
  readonly margin?: number
  readonly testId?: readonly string[]
  readonly tag?: readonly string[]
  readonly by?: string
  readonly failOnRegression?: boolean
  readonly failOnNewFailures?: boolean
  readonly requireConclusive?: boolean
  readonly requireBetter?: boolean
  readonly runsDir?: string
  readonly json?: boolean
}

export function compareCommand(context: CommandContext): Command {
  return new Command('compare')
    .description('Compare runs, or targets of one run, test by test, with a statistical verdict.')
    .argument(
      '<runs...>',
      'one run, or several, each compared with the first: ids or their beginnings, latest, folders, or reports (.jsonl, .json)',
    )
    .option(
      '--target <name>',
      'for one run: the two targets to compare; for several: a target for all, or one of each (repeatable)',
      collect,
    )
    .option('--control <name>', 'for one run: target that all others are compared with (default: its control arm)')
    .addOption(testIdOption())
    .addOption(tagOption())
    .addOption(byOption())
    .option('--margin <score>', 'how much lower the second score may be, from 0 to 1', share)
    .option('--fail-on-regression', 'exit with 1 if the second is worse, has more errors or a broken test')
    .option('--fail-on-new-failures', 'exit with 1 if a test passed on the first and not on the second')
    .option('--require-conclusive', 'exit with 4 if a comparison is inconclusive')
    .option('--require-better', 'exit with 1 unless the second is better, with 4 if that is inconclusive')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `${CODES_HELP}${example('assay compare 20261115 latest', 'assay compare latest --control old --require-better', 'assay compare main.jsonl latest --fail-on-regression --fail-on-new-failures')}`,
    )
    .action((runs, options) => context.run(() => compareNamed(runs, options, context)))
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
  const { target: targets, control, margin, by, runsDir: runs_dir } = options
  const filter = { test_ids: options.testId, tags: options.tag }
  const compared = await compare(names, { targets, control, margin, gates, filter, by, runs_dir }, host)
  await warn(compared, context)
  if (options.json) terminal.json(runComparisonData(compared, gates))
  else terminal.out(runComparisonText(compared, gates, terminal.palette('stdout')))
  return COMPARE_CODES[compared.gate.result]
}

const OTHER_JUDGES = 'the runs were judged by different models: differences may come from the judges'

/** Warns of what limits the comparison as a whole. */
async function warn(
  { runs, missing_targets, new_targets }: RunComparison,
  { terminal }: CommandContext,
): Promise<void> {
  const { judgesDiffer } = await import('../../report/compare/compared-run.ts')
  const [first, ...later] = runs
  if (later.some(({ judges }) => judgesDiffer(first?.judges, judges)))
    terminal.err(`${warningText(OTHER_JUDGES, terminal.palette('stderr'))}\n`)
  terminal.err(gapText('not in', missing_targets))
  terminal.err(gapText('only in', new_targets))
}

/** `only in 20261116-093000-ab12: large, small`. */
function gapText(where: string, gaps: readonly TargetGap[]): string {
  return [...groupBy(gaps, ({ run }) => run)]
    .map(
      ([run, group]) =>
        `${where} ${printableLine(run)}: ${group.map(({ target }) => printableLine(target)).join(', ')}\n`,
    )
    .join('')
}
