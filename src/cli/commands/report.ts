import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { Host } from '../../model/host.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { ComparisonGateOptions } from '../../report/compare/comparison-gates.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openRun } from '../open-run.ts'
import { byOption, collect, example, REPORT_FORMATS, RUN_ARGUMENT, tagOption, testIdOption } from '../options.ts'

interface Options {
  readonly format?: string
  readonly output?: string
  readonly target?: readonly string[]
  readonly testId?: readonly string[]
  readonly tag?: readonly string[]
  readonly by?: string
  readonly against?: string
  readonly otelContent?: boolean
  readonly runsDir?: string
}

export function reportCommand(context: CommandContext): Command {
  return new Command('report')
    .description('Write a report of a run to stdout, a file or a folder.')
    .argument('<run>', RUN_ARGUMENT)
    .addOption(
      new Option(
        '--format <format>',
        'format of the report (default: by the extension of the file, else text)',
      ).choices(REPORT_FORMATS),
    )
    .option(
      '-o, --output <path>',
      'output file; for skill-creator and agentskills a folder, in which each report gets a new folder',
    )
    .option(
      '--target <name>',
      'for skill-creator, agentskills and plugin-evals: target with the skill, then target without it',
      collect,
    )
    .addOption(testIdOption())
    .addOption(tagOption())
    .addOption(byOption())
    .option('--against <results>', 'also compare with a baseline, a run, a file or git:REF')
    .option('--otel-content', 'for otel: include prompts and answers')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .addHelpText(
      'after',
      example(
        'assay report latest',
        'assay report latest -o results.json',
        'assay report latest --format markdown --against main',
        'assay report latest --tag billing --by metadata.language',
        'assay report latest --format skill-creator -o my-skill-workspace',
        'assay report latest --format plugin-evals -o aggregate-result.json',
        'assay report latest --format otel -o traces.jsonl',
        'assay report evals/results/2026-11-16/aggregate-result.json',
      ),
    )
    .action((run, options) => context.run(() => writeReport(run, options, context)))
}

async function writeReport(run: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ appendCompanion, chooseReporter, makeReport, selectTests }, { projectCalibrations }] = await Promise.all([
    import('../../operations/report.ts'),
    import('../../operations/project-calibrations.ts'),
  ])
  const { format, output, target: targets, by, otelContent: content } = options
  const reporter = await chooseReporter({ format, output, targets, by, against: options.against, content })
  const whole = await openRun(run, options.runsDir, context)
  try {
    const reader = selectTests(whole, { test_ids: options.testId, tags: options.tag })
    const against = await readAgainst(reader, options, host)
    const calibrations = await projectCalibrations(host)
    const report = await makeReport(reporter, reader, { output, targets, by, against, content, calibrations }, host)
    if (report.kind === 'text') for (const text of report.texts) terminal.out(text)
    if (report.kind === 'written') terminal.err(`wrote ${printableLine(terminal.path(report.path))}\n`)
    if (report.kind === 'empty') terminal.err('Nothing to write.\n')
    await appendCompanion(reporter, reader, { by, against, calibrations }, host)
    for (const note of reporter.notes?.(reader, { targets }) ?? []) terminal.err(`${printableLine(note)}\n`)
    if (report.kind === 'empty') return EXIT.nothing
    // Missing results could change every number.
    return reader.damaged ? EXIT.incomplete : EXIT.ok
  } finally {
    whole.close()
  }
}

/** The saved results to compare with, by the margin of the run. */
async function readAgainst({ info }: RunReader, { against, by, testId, tag, runsDir }: Options, host: Host) {
  if (against === undefined) return undefined
  const { readCompared } = await import('../../operations/baselines/saved-results.ts')
  const reference = await readCompared(against, { filter: { test_ids: testId, tags: tag } }, runsDir, host)
  return { ...(info?.options as ComparisonGateOptions | undefined), reference, by }
}
