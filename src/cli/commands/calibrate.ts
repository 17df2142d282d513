import { Command } from 'commander'
import { plural } from '../../lib/text/format.ts'
import { UserError } from '../../model/user-error.ts'
import type { CalibratedRun } from '../../operations/calibrate/calibrate.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openRun } from '../open-run.ts'
import { example, positiveNumber, RUN_ARGUMENT } from '../options.ts'
import { probeJudges } from '../probe-judges.ts'
import { calibrationText } from '../terminal/calibration-text.ts'
import { ALIGN_HELP, type AlignCommandOptions, addAlignOptions, requireAlign, runAlign } from './align.ts'

interface Options extends AlignCommandOptions {
  readonly probe?: boolean
  readonly probeAnswers?: number
}

export function calibrateCommand(context: CommandContext): Command {
  const command = new Command('calibrate')
    .description('Compare the verdicts of judges with the labels of people, and correct pass rates by them.')
    .argument('[run]', `${RUN_ARGUMENT} (default: latest)`)
    .option('--judge <name>', 'only attempts that this target judges')
    .option('--probe', 'also ask the judges again: do they say the same, and prefer a place or long answers?')
    .option('--probe-answers <n>', 'answers to judge again 5 times with --probe (default: 20)', positiveNumber)
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--json', 'print the figures as one JSON document')
  return addAlignOptions(command)
    .addHelpText('after', `${HELP}${ALIGN_HELP}${example(...EXAMPLES)}`)
    .action((run = 'latest', options) => context.run(() => runCalibrate(run, options, context)))
}

const HELP = `
Labels are read from .assay/labels/<suite>.jsonl; assay label writes them. The
figures are written to .assay/calibration/<fingerprint>.json, for reports.

Exit codes: 0 calibrated, 2 wrong usage or files, 3 damaged lines in the run,
5 no labels for this run.
`

const EXAMPLES = [
  'assay calibrate',
  'assay calibrate latest --judge claude --json',
  'assay calibrate --probe',
  'assay calibrate --align --max-cost 2',
]

function runCalibrate(run: string, options: Options, context: CommandContext): Promise<ExitCode> {
  requireAlign(options)
  if (!options.align) return calibrateRun(run, options, context)
  const { judge, probe, probeAnswers } = options
  const [other] = Object.entries({ judge, probe, 'probe-answers': probeAnswers }).find(([, value]) => value) ?? []
  if (other !== undefined) throw new UserError(`--${other} does not work with --align.`, 'Leave one of them out.')
  return runAlign(run, options, context)
}

async function calibrateRun(run: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  if (options.probeAnswers !== undefined && !options.probe) throw new UserError('--probe-answers needs --probe.')
  const { calibrate } = await import('../../operations/calibrate/calibrate.ts')
  const reader = await openRun(run, options.runsDir, context)
  try {
    const calibrated = await calibrate(reader, { judge: options.judge }, host)
    if (!options.json) printFigures(calibrated, context)
    const isProbed = options.probe && calibrated.suites.length > 0
    const probe = isProbed ? await probeJudges(calibrated, { run, ...options }, context) : undefined
    if (options.json) terminal.json({ ...calibrationData(calibrated), probes: probe?.probes })
    return probe?.signalled ?? conclude(calibrated, reader.damaged, context)
  } finally {
    reader.close()
  }
}

function printFigures({ suites }: CalibratedRun, { terminal }: CommandContext): void {
  const texts = suites.map(suite => calibrationText(suite, terminal.path, terminal.palette('stdout')))
  terminal.out(texts.join('\n'))
}

/** Says what is missing if nothing could be calibrated. */
function conclude({ suites }: CalibratedRun, damaged: number, { terminal }: CommandContext): ExitCode {
  if (suites.length === 0) {
    terminal.err('No model judges in this run, so there is nothing to calibrate.\n')
    return EXIT.nothing
  }
  const hasLabels = suites.some(({ judge_sets }) => judge_sets.some(({ labelled }) => labelled.length > 0))
  if (!hasLabels) {
    const files = suites.map(({ label_file }) => terminal.path(label_file)).join(', ')
    const known = suites.reduce((sum, { labels }) => sum + labels, 0)
    const what = known === 0 ? `No labels in ${files}` : `None of ${plural(known, 'label')} in ${files} is of this run`
    terminal.err(`${what}. Label some answers with \`assay label\`.\n`)
    return EXIT.nothing
  }
  // Missing results could change every number.
  return damaged > 0 ? EXIT.incomplete : EXIT.ok
}

/** The figures without the answers. */
function calibrationData({ run_id, suites }: CalibratedRun) {
  return {
    run_id,
    suites: suites.map(({ judge_sets, ...suite }) => ({
      ...suite,
      judge_sets: judge_sets.map(({ answers, labelled, ...judges }) => judges),
    })),
  }
}
