import { Command, Option } from 'commander'
import { warningsAsErrors } from '../../../diagnostics/diagnostic.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatDollars, plural } from '../../../lib/text/format.ts'
import type { CheckedSuites } from '../../../operations/check/check-suites.ts'
import type { ReadyJudging } from '../../../operations/check/judging-plan.ts'
import type { CommandContext } from '../../command-context.ts'
import {
  type DiagnosticsOptions,
  formatOption,
  maxWarningsOption,
  renderDiagnostics,
} from '../../diagnostics-output.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { reportMissing } from '../../missing-suites.ts'
import { example, money, positiveNumber, TARGETS_FILE } from '../../options.ts'
import { diagnosticsText } from '../../terminal/diagnostics.ts'
import { checkProgress } from './check-progress.ts'
import { checkedText } from './checked-text.ts'

interface Options extends DiagnosticsOptions {
  readonly programs?: boolean
  readonly runs: number | false
  readonly runsDir?: string
  readonly judges?: boolean
  readonly judge?: string
  readonly targets?: string
  readonly maxCost?: number
  readonly plan?: boolean
}

export function checkCommand(context: CommandContext): Command {
  return new Command('check')
    .description(
      'Find checks and tests that cannot fail, cannot pass, or cannot tell answers apart, without asking a target.',
    )
    .argument('[paths...]', 'files, folders or globs (default: the current folder)')
    .addOption(formatOption())
    .option('--json', 'same as --format json')
    .option('--programs', 'also try checks that start programs, such as code_judge')
    .option('--judges', 'also ask the judges of the suites, after printing how many requests that takes')
    .option('--judge <name>', 'target that judges checks without a target of their own')
    .option('--targets <file>', TARGETS_FILE)
    .option('--max-cost <usd>', 'with --judges: stop when the judges have cost this much', money)
    .option('--plan', 'with --judges: only print how many requests that takes')
    .addOption(
      new Option('--runs <n>', 'how many of the newest runs to look at')
        .argParser(positiveNumber)
        .default(DEFAULT_RUNS),
    )
    .option('--no-runs', 'do not look at recorded runs')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--strict', 'exit with code 1 if anything is found')
    .addOption(maxWarningsOption())
    .addHelpText('after', example('assay check', 'assay check evals/ --strict', 'assay check --programs --no-runs'))
    .action((paths, options) => context.run(() => checkPaths(paths, options, context)))
}

const DEFAULT_RUNS = 20

async function checkPaths(paths: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const judging = options.judges || options.plan ? await planJudges(paths, options, context) : undefined
  if (judging === 'invalid') return EXIT.userError
  if (options.plan) return EXIT.ok
  const { checkSuites } = await import('../../../operations/check/check-suites.ts')
  const progress = checkProgress(terminal, host.clock)
  const { programs, runs, runsDir: runs_dir, strict, maxCost: max_cost_usd } = options
  const asked = { programs, runs: runs || 0, runs_dir, judging, max_cost_usd }
  const checked = await checkSuites({ paths, ...asked, onTest: progress.onTest }, host)
  progress.end()
  const { loaded, found, has_errors } = checked
  if (has_errors) terminal.err(diagnosticsText(loaded, terminal.path, terminal.palette('stderr')))
  const diagnostics = strict ? warningsAsErrors(checked.diagnostics) : checked.diagnostics
  const text = () => (checked.tests === 0 ? '' : checkedText({ ...checked, diagnostics }, terminal))
  terminal.out(renderDiagnostics(diagnostics, options, terminal, text))
  const code = exitCode({ ...checked, diagnostics }, options)
  return reportMissing(found, has_errors ? EXIT.userError : reportUnjudged(checked, code, context), context)
}

/** Plans to ask judges, and prints what that takes. */
async function planJudges(
  paths: readonly string[],
  { judge, targets: targets_file }: Options,
  { host, terminal }: CommandContext,
): Promise<ReadyJudging | 'invalid'> {
  const [{ planJudging }, { runtimeOn }] = await Promise.all([
    import('../../../operations/check/judging-plan.ts'),
    import('../../../operations/runtime.ts'),
  ])
  const judging = await planJudging({ paths, judge, targets_file }, runtimeOn(host))
  const { plan, planned, calls, judges, cost_usd, tests } = judging
  terminal.redactWith(planned.redactor.text)
  if (!plan) {
    terminal.err(
      diagnosticsText(
        { ...planned.loaded, diagnostics: judging.diagnostics },
        terminal.path,
        terminal.palette('stderr'),
      ),
    )
    return 'invalid'
  }
  const cost = cost_usd === undefined ? 'cost unknown: the judge has no `price`' : `about ${formatDollars(cost_usd)}`
  const names = judges.map(printableLine).join(', ')
  const words =
    calls === 0
      ? 'no test has a check that a model judges'
      : `${plural(calls, 'request')} to ${names} about ${plural(new Set(tests.map(({ attempt }) => attempt.test)).size, 'test')}, ${cost}`
  terminal.err(`Judges: ${words}.\n`)
  return { ...judging, plan }
}

/** Reports answers that judges did not grade: the findings are incomplete then. */
function reportUnjudged({ judged }: CheckedSuites, code: ExitCode, { terminal }: CommandContext): ExitCode {
  if (!judged || (judged.unjudged === 0 && !judged.is_over_budget)) return code
  if (judged.is_over_budget) terminal.err('The budget is spent: not all tests were judged. Raise --max-cost.\n')
  if (judged.unjudged > 0)
    terminal.err(`${printableLine(`${plural(judged.unjudged, 'answer')} not judged: ${judged.reason}`)}\n`)
  return EXIT.incomplete
}

/** Tests that reject their reference fail the command; other findings only with `--strict` or `--max-warnings`. */
function exitCode({ diagnostics }: Pick<CheckedSuites, 'diagnostics'>, { maxWarnings }: Options): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const isTooMany = maxWarnings !== undefined && diagnostics.length - errors > maxWarnings
  return errors > 0 || isTooMany ? EXIT.failed : EXIT.ok
}
