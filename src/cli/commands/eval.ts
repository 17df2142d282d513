import { Command, Option } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import type { PlannedRun } from '../../operations/evaluate.ts'
import type { RunOptions } from '../../operations/run/record-run.ts'
import type { ResolvedRun } from '../../operations/run/resolve-run.ts'
import type { RunRequest } from '../../operations/run/run-request.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { reportMissing } from '../missing-suites.ts'
import { reportNothing } from '../nothing-to-run.ts'
import {
  allowFlaky,
  byOption,
  collect,
  example,
  failOn,
  minPassRate,
  money,
  OUTPUT,
  positiveNumber,
  queueOption,
  requireCompatible,
  shardOf,
  share,
  TARGETS_FILE,
  tagOption,
  testIdOption,
  trialCount,
  untilDecided,
  wholeNumber,
} from '../options.ts'
import { hintAtResume } from '../resume-hint.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'

interface Options {
  readonly target?: readonly string[]
  readonly control?: string
  readonly ablate?: string
  readonly targets?: string
  readonly judge?: string
  readonly testId?: readonly string[]
  readonly tag?: readonly string[]
  readonly trials?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly workers?: number
  readonly queue?: string
  readonly maxCost?: number
  readonly cache?: boolean
  readonly untilDecided?: boolean
  readonly maxTrials?: number
  readonly seed?: number
  readonly failFast?: boolean
  readonly failOn?: 'fail' | 'borderline'
  readonly minPassRate?: number
  readonly allowFlaky?: boolean
  readonly failOnRegression?: boolean
  readonly requireBetter?: boolean
  readonly margin?: number
  readonly triggerThreshold?: number
  readonly plan?: boolean
  readonly resume?: string
  readonly rerunFailed?: string
  readonly runsDir?: string
  readonly log?: boolean
  readonly logDir?: string
  readonly by?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
  readonly verbose?: boolean
}

export function evalCommand(context: CommandContext): Command {
  return new Command('eval')
    .alias('run')
    .description('Run suites and grade the answers.')
    .argument('[paths...]', 'files, folders or globs (default: the current folder)')
    .option('--target <name>', 'target that answers all tests (repeatable)', collect)
    .option('--control <name>', 'target that the others are compared with; its failures do not count')
    .addOption(ABLATE)
    .option('--judge <name>', 'target that judges checks without a target of their own')
    .option('--targets <file>', TARGETS_FILE)
    .addOption(testIdOption())
    .addOption(tagOption())
    .option('--trials <n>', 'number of times that each test runs', trialCount)
    .option('--shard <i/n>', 'run only part i of n of the plan', shardOf)
    .option('--plan', 'show the plan and exit')
    .option('--workers <n>', 'maximum number of attempts at once', positiveNumber)
    .addOption(queueOption('let workers of a queue make the attempts').conflicts('workers'))
    .option('--max-cost <usd>', 'stop when this amount is spent, in US dollars', money)
    .option('--cache', 'reuse answers of unchanged targets to the same prompt')
    .addOption(untilDecided())
    .option(
      '--max-trials <n>',
      'with --until-decided: most pairs of attempts per test, on average (default: 5)',
      trialCount,
    )
    .option('--seed <n>', 'with --until-decided: makes the order of the tests reproducible', wholeNumber)
    .option('--fail-fast', 'start no new attempts after the first failure')
    .addOption(failOn())
    .addOption(minPassRate())
    .addOption(allowFlaky())
    .option('--fail-on-regression', 'fail if a target is worse, has more errors or a broken test against the control')
    .option('--require-better', 'fail unless every target is better than the control (exit 4 if inconclusive)')
    .option('--margin <score>', 'how much lower than the control a target may score, from 0 to 1', share)
    .option(
      '--trigger-threshold <rate>',
      'share of trials in which a skill must trigger to count as used (default: 0.5)',
      share,
    )
    .option('--resume [=run]', 'resume the last run, or another one')
    .option('--rerun-failed [=run]', 'resume a run and add an attempt for each one that failed')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--log', 'also log every attempt in .co/evals')
    .option('--no-log', 'turn logging off for this run')
    .option('--log-dir <folder>', 'folder of the logs (default: .co/evals)')
    .addOption(byOption())
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'print only tests that did not pass')
    .option('-v, --verbose', 'also print prompts and answers')
    .addHelpText('after', HELP)
    .action(async (paths, options) => {
      await context.run(() => evaluatePaths(requestOf(paths, options), options, context))
      if (context.exit_code === EXIT.userError) await hintAtResume(requestOf(paths, options), context)
    })
}

const ABLATE = new Option(
  '--ablate <field>',
  'compare each target with a copy without this field: skills, system_prompt or workspace',
).conflicts('control')

const HELP = `
Set defaults for target, judge, workers, timeout and suites in .assay/config.yaml.

Exit codes:
  0 no test failed, 1 a test failed, 2 wrong usage or files,
  3 attempts could not be made or judged, 5 no tests match, 130 interrupted
  With --fail-on-regression or --require-better, only the comparison with the
  control arm decides, unless --fail-on or --min-pass-rate is given as well:
  0 passed, 1 failed, 4 inconclusive with --require-better, 5 nothing to compare
${example('assay eval', 'assay eval evals/ --target gpt --trials 3', 'assay eval --resume', 'assay eval -o results.json')}`

function requestOf(paths: readonly string[], options: Options): RunRequest {
  return {
    paths,
    targets_file: options.targets,
    targets: options.target,
    control: options.control,
    ablate: options.ablate,
    judge: options.judge,
    test_ids: options.testId,
    tags: options.tag,
    trials: options.trials,
    shard: options.shard,
    workers: options.workers,
    max_cost_usd: options.maxCost,
    cache: options.cache,
    until_decided: options.untilDecided,
    max_trials: options.maxTrials,
    seed: options.seed,
    fail_fast: options.failFast,
    fail_on: options.failOn,
    min_pass_rate: options.minPassRate,
    allow_flaky: options.allowFlaky,
    fail_on_regression: options.failOnRegression,
    require_better: options.requireBetter,
    margin: options.margin,
    trigger_threshold: options.triggerThreshold,
    resume: options.resume,
    rerun_failed: options.rerunFailed,
    runs_dir: options.runsDir,
    log: options.log,
    log_dir: options.logDir,
  }
}

async function evaluatePaths(given: RunRequest, options: Options, context: CommandContext): Promise<ExitCode> {
  requireCompatible(options)
  const { host, terminal } = context
  const [{ checkOutputs }, { resolveRun }, { planRun }, { runtimeOn }, required, { requireControl }] =
    await Promise.all([
      import('../../operations/write-reports.ts'),
      import('../../operations/run/resolve-run.ts'),
      import('../../operations/evaluate.ts'),
      import('../../operations/runtime.ts'),
      import('../../operations/run/deciding-settings.ts'),
      import('../../operations/run/require-control.ts'),
    ])
  await checkOutputs(options.output, host)
  const resolved = await resolveRun(given, host)
  reportResolved(resolved, context)
  const queue = await queueOf(options, context)
  const { request, config, files_before } = resolved
  const planned = await planRun(request, runtimeOn(host), {
    config,
    files_before,
    secrets: queue?.secrets,
    until_decided: request.deciding !== undefined,
  })
  terminal.redactWith(planned.redactor.text)
  const { plan, found, loaded, diagnostics } = planned
  if (diagnostics.length > 0)
    terminal.err(diagnosticsText({ ...loaded, diagnostics }, terminal.path, terminal.palette('stderr')))
  if (!plan) return reportMissing(found, EXIT.userError, context)
  if (plan.total === 0) return reportNothing(planned, plan, context)
  required.requireQuestion(plan.attempts, request)
  requireControl(plan, request)
  const { showPlan, warnOfLimits } = await import('../show-plan.ts')
  if (options.plan) {
    await showPlan(plan, request, options, context)
    return reportMissing(found, EXIT.ok, context)
  }
  await warnOfLimits(plan, request, context)
  const code = await runPlanned({ ...planned, plan }, resolved, { given, options, queue: queue?.url }, context)
  return reportMissing(found, code, context)
}

/** Reports surprises of a resumed run. */
function reportResolved({ is_first, unlogged }: ResolvedRun, { terminal }: CommandContext): void {
  if (is_first) terminal.err('No earlier run found: starting a new one.\n')
  if (unlogged !== undefined)
    terminal.err(
      `Not logged: ${printableLine(String(unlogged))} is outside of this repository. Name it with --log-dir.\n`,
    )
}

async function queueOf({ queue }: Options, { host }: CommandContext) {
  if (queue === undefined) return undefined
  const { resolveQueue } = await import('../../operations/queue/queue.ts')
  return resolveQueue(queue, host)
}

type ReadyRun = PlannedRun & { readonly plan: NonNullable<PlannedRun['plan']> }

interface Invocation {
  readonly given: RunRequest
  readonly options: Options
  /** The URL of the queue, with variables filled in. */
  readonly queue: string | undefined
}

async function runPlanned(
  ready: ReadyRun,
  { request, folders, resumes, name }: ResolvedRun,
  { given, options, queue }: Invocation,
  context: CommandContext,
): Promise<ExitCode> {
  const [{ runAndReport }, { TerminalObserver }] = await Promise.all([
    import('../run-and-report.ts'),
    import('../terminal/terminal-observer.ts'),
  ])
  const { json, quiet, verbose, output, by } = options
  const { cache, rerun_failed } = given
  const observer = new TerminalObserver({ cache, rerun_failed, json, quiet, verbose }, context.terminal, context.host)
  const run = { request, folders, resumes, observer }
  const queued = queue === undefined ? undefined : await connectQueue(queue, ready, run, context)
  try {
    const shown = { observer, given: { request: given, queue: options.queue, output }, quiet, by, name }
    return await runAndReport(ready, { ...run, records: queued?.records }, shown, context)
  } finally {
    queued?.close()
  }
}

async function connectQueue(url: string, { plan }: ReadyRun, run: RunOptions, { host }: CommandContext) {
  const { queueRun } = await import('../../operations/queue/queue-records.ts')
  return queueRun(url, plan, run, host)
}
