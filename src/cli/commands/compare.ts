import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { CompareGateOptions } from '../../report/compare/compare-gate.ts'
import type { RunComparison } from '../../report/compare/compare-runs.ts'
import { comparisonFormats } from '../../report/compare/formats/index.ts'
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
  readonly format?: string
  readonly output?: readonly string[]
  readonly json?: boolean
}

export function compareCommand(context: CommandContext): Command {
  return new Command('compare')
    .description('Compare runs, or targets of one run, test by test, with a statistical verdict.')
    .argument(
      '<runs...>',
      'one run, or several, each compared with the first: ids or their beginnings, latest, baselines (also git:REF), folders, or reports (.jsonl, .json)',
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
    .option(
      '--margin <score>',
      'how much lower the second score may be, from 0 to 1; differences within it are equivalent',
      share,
    )
    .option('--fail-on-regression', 'exit with 1 if the second is worse, has more errors or a broken test')
    .option('--fail-on-new-failures', 'exit with 1 if a test passed on the first and not on the second')
    .option('--require-conclusive', 'exit with 4 if a comparison is inconclusive')
    .option('--require-better', 'exit with 1 unless the second is better, with 4 if that is inconclusive')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .addOption(new Option('--format <format>', 'format of the output (default: text)').choices(FORMATS))
    .option('-o, --output <file>', OUTPUT, collect)
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .addHelpText(
      'after',
      `${CODES_HELP}${example('assay compare 20261115 latest', 'assay compare latest --control old --require-better', 'assay compare main latest --fail-on-regression --fail-on-new-failures')}`,
    )
    .action((runs, options) => context.run(() => compareNamed(runs, options, context)))
}

const FORMATS = comparisonFormats.map(({ type }) => type)
const OUTPUT = `also write the comparison; the extension chooses its format: ${comparisonFormats.map(({ extension }) => extension).join(', ')} (repeatable)`

const CODES_HELP = `
Verdicts: better, worse, equivalent (within --margin) or inconclusive.

Exit codes:
  0  compared, and no given option failed
  1  --fail-on-regression, --fail-on-new-failures or --require-better failed
  2  an unknown run or target, results that cannot be read, or, with one of
     these options, a run that is compared with itself
  3  with one of these options: a run is partial, or lacks a target
  4  inconclusive, with --require-conclusive or --require-better
  5  no test is the same on both sides, or none is selected
`

async function compareNamed(names: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host } = context
  const [{ compare }, { checkComparisonOutputs, writeComparisons }] = await Promise.all([
    import('../../operations/compare.ts'),
    import('../../operations/write-comparisons.ts'),
  ])
  await checkComparisonOutputs(options.output, host)
  const gates = {
    fail_on_regression: options.failOnRegression ?? false,
    fail_on_new_failures: options.failOnNewFailures ?? false,
    require_conclusive: options.requireConclusive ?? false,
    require_better: options.requireBetter ?? false,
  }
  const { target: targets, control, margin, by, runsDir: runs_dir } = options
  const filter = { test_ids: options.testId, tags: options.tag }
  const compared = await compare(names, { targets, control, margin, gates, filter, by, runs_dir }, host)
  await show(compared, gates, options, context)
  const { paths, problem } = await writeComparisons(options.output, compared, gates, host)
  for (const path of paths) context.terminal.err(`wrote ${printableLine(context.terminal.path(path))}\n`)
  if (problem !== undefined) throw problem
  return COMPARE_CODES[compared.gate.result]
}

/** Prints what limits the comparison as a whole, then the comparison in its format. */
async function show(
  compared: RunComparison,
  gates: CompareGateOptions,
  { format, json }: Options,
  { terminal }: CommandContext,
): Promise<void> {
  const { judgeWarnings, targetNotes } = await import('../../report/compare/text/comparison-notes.ts')
  for (const warning of judgeWarnings(compared)) terminal.err(`${warningText(warning, terminal.palette('stderr'))}\n`)
  for (const note of targetNotes(compared)) terminal.err(`${printableLine(note)}\n`)
  const name = format ?? (json ? 'json' : 'text')
  const formatter = await comparisonFormats.find(({ type }) => type === name)?.load()
  terminal.out(formatter?.(compared, gates, terminal.palette('stdout')) ?? '')
}
