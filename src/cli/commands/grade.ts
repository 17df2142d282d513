import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { isAnswered } from '../../model/recordings.ts'
import type { GradeOptions, ReadyGrading } from '../../operations/grade.ts'
import type { OtelSettings } from '../../operations/otel/otel-settings.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import {
  allowFlaky,
  collect,
  example,
  failOn,
  gateOption,
  judgeRepeatsOption,
  labelOption,
  minPassRate,
  OUTPUT,
  positiveNumber,
  thresholdOption,
} from '../options.ts'
import { exportSpans, type OtelOptions, otelContentOption, otelOf, otelOption, otelRequestOf } from '../otel-options.ts'
import { recordedCommand } from '../recorded-command.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'

interface Options extends OtelOptions {
  readonly suite?: readonly string[]
  readonly judge?: string
  readonly judgeRepeats?: number
  readonly targets?: string
  readonly workers?: number
  readonly threshold?: number
  readonly failOn?: 'fail' | 'borderline'
  readonly minPassRate?: number
  readonly gate?: 'corrected' | 'raw'
  readonly allowFlaky?: boolean
  readonly label?: string
  readonly runsDir?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export function gradeCommand(context: CommandContext): Command {
  return new Command('grade')
    .description('Grade the recorded answers of a run again by the current suite, without asking targets.')
    .argument('<run>', 'run: its id or the beginning of it, latest, or its folder')
    .option('--suite <file>', 'grade by this suite instead of that of the run (repeatable)', collect)
    .option('--judge <name>', 'target that judges checks without a target of their own')
    .addOption(judgeRepeatsOption())
    .option('--targets <file>', 'targets file of the judges')
    .option('--workers <n>', 'maximum number of answers graded at once', positiveNumber)
    .addOption(thresholdOption())
    .addOption(failOn())
    .addOption(minPassRate())
    .addOption(gateOption())
    .addOption(allowFlaky())
    .addOption(labelOption())
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .addOption(otelOption())
    .addOption(otelContentOption())
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'print only tests that did not pass')
    .option('-v, --verbose', 'also print prompts and answers')
    .addHelpText('after', example('assay grade latest', 'assay grade latest --suite EVAL.yaml --judge claude'))
    .action((run, options) => context.run(() => gradeRun(run, options, context)))
}

function gradeOptions(options: Options): GradeOptions {
  return {
    paths: options.suite,
    judge: options.judge,
    judge_repeats: options.judgeRepeats,
    targets_file: options.targets,
    workers: options.workers,
    threshold: options.threshold,
    fail_on: options.failOn,
    min_pass_rate: options.minPassRate,
    gate: options.gate,
    allow_flaky: options.allowFlaky,
    label: options.label,
    runs_dir: options.runsDir,
  }
}

async function gradeRun(run: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ checkOutputs }, { projectCalibrations }, { NOTHING_TO_GRADE, planGrading }, { runtimeOn }] =
    await Promise.all([
      import('../../operations/write-reports.ts'),
      import('../../operations/project-calibrations.ts'),
      import('../../operations/grade.ts'),
      import('../../operations/runtime.ts'),
    ])
  await checkOutputs(options.output, host)
  // A damaged file is reported before judges are asked.
  await projectCalibrations(host)
  const otel = await otelOf(options, context)
  const request = { ...gradeOptions(options), command: recordedCommand(context) }
  const grading = await planGrading(run, request, runtimeOn(host), { secrets: otel?.secrets })
  if (grading.kind === 'no-answers') return reportNothing(NOTHING_TO_GRADE[grading.kind], context)
  const { redactor, loaded, diagnostics, found } = grading.planned
  terminal.redactWith(redactor.text)
  if (diagnostics.length > 0)
    terminal.err(diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stderr')))
  if (grading.kind === 'invalid') return reportMissing(found, EXIT.userError, context)
  if (grading.kind === 'no-matches' || grading.kind === 'all-skipped')
    return reportNothing(NOTHING_TO_GRADE[grading.kind], context)
  terminal.err(leftOutText(grading.left))
  return runGrading(grading, { options, otel }, context)
}

function reportNothing(reason: string, { terminal }: CommandContext): ExitCode {
  terminal.err(`${reason}\n`)
  return EXIT.nothing
}

/** Names tests that are gone or changed, whose records are not graded. */
function leftOutText(left: ReadyGrading['left']): string {
  if (left.length === 0) return ''
  const ids = [...new Set(left.map(({ test_id }) => test_id))]
  const named = ids.slice(0, 5).map(printableLine).join(', ')
  const more = ids.length > 5 ? ' and others' : ''
  const what = left.every(isAnswered) ? 'answer' : 'attempt'
  return `${plural(left.length, what)} skipped, since the test was removed or changed: ${named}${more}\n`
}

async function runGrading(
  grading: ReadyGrading,
  { options, otel }: { readonly options: Options; readonly otel: OtelSettings | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const [{ runAndReport }, { TerminalObserver }, { noteUnusedRepeats }] = await Promise.all([
    import('../run-and-report.ts'),
    import('../terminal/terminal-observer.ts'),
    import('../unused-repeats.ts'),
  ])
  const { request, folders, source, planned, name } = grading
  noteUnusedRepeats(planned.plan, request, context)
  const { json, quiet, verbose, output } = options
  const observer = new TerminalObserver({ json, quiet, verbose }, context.terminal, context.host)
  const given = { request: gradeOptions(options), otel: otelRequestOf(options), output }
  const spans = await exportSpans(otel, planned.redactor, context)
  return runAndReport(planned, { request, folders, source }, { observer, spans, given, quiet, name }, context)
}
