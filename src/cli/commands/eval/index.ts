import { Command, Option } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { EXIT } from '../../exit-codes.ts'
import {
  allowFlaky,
  byOption,
  collect,
  example,
  failOn,
  gateOption,
  judgeRepeatsOption,
  labelOption,
  minPassRate,
  money,
  OUTPUT,
  positiveNumber,
  queueOption,
  shardOf,
  share,
  TARGETS_FILE,
  tagOption,
  testIdOption,
  thresholdOption,
  trialCount,
  untilDecided,
  wholeNumber,
} from '../../options.ts'
import { otelContentOption, otelOption } from '../../otel-options.ts'
import { recordedCommand } from '../../recorded-command.ts'
import { hintAtResume } from '../../resume-hint.ts'
import { type EvalOptions, requestOf } from './eval-options.ts'

export function evalCommand(context: CommandContext): Command {
  return new Command('eval')
    .alias('run')
    .description('Run suites and grade the answers.')
    .argument('[paths...]', 'files, folders or globs (default: the current folder)')
    .option('--target <name>', 'target that answers all tests (repeatable)', collect)
    .option('--control <name>', 'target that the others are compared with; its failures do not count')
    .addOption(ABLATE)
    .option('--judge <name>', 'target that judges checks without a target of their own')
    .addOption(judgeRepeatsOption())
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
    .addOption(thresholdOption())
    .addOption(failOn())
    .addOption(minPassRate())
    .addOption(gateOption())
    .addOption(allowFlaky())
    .option('--against <results>', 'compare with a baseline, a run, a file, or a baseline in git (git:REF)')
    .option('--affected', 'run only tests that changed since --against (default: main), and carry over the rest')
    .option('--watch', 'stay, and run what is affected by each change of a file')
    .option('--fail-on-regression', 'fail if a target is worse, has more errors or a broken test')
    .option('--fail-on-new-failures', 'fail if a test passed before and does not pass now')
    .option('--require-better', 'fail unless every target is better (exit 4 if inconclusive)')
    .option('--margin <score>', 'how much lower a target may score, from 0 to 1', share)
    .option(
      '--trigger-threshold <rate>',
      'share of trials in which a skill must trigger to count as used (default: 0.5)',
      share,
    )
    .option('--resume [=run]', 'resume the last run, or another one')
    .option('--rerun-failed [=run]', 'resume a run and add an attempt for each one that failed')
    .addOption(labelOption())
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--log', 'also log every attempt in .co/evals')
    .option('--no-log', 'turn logging off for this run')
    .option('--log-dir <folder>', 'folder of the logs (default: .co/evals)')
    .addOption(otelOption())
    .addOption(otelContentOption())
    .addOption(byOption())
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'print only tests that did not pass')
    .option('-v, --verbose', 'also print prompts and answers')
    .addHelpText('after', HELP)
    .action((paths, options) => runEval(paths, options, context))
}

async function runEval(paths: readonly string[], options: EvalOptions, context: CommandContext): Promise<void> {
  const request = { ...requestOf(paths, options), command: recordedCommand(context) }
  await context.run(async () =>
    options.watch
      ? (await import('./watch.ts')).watchPaths(request, options, context)
      : (await import('./evaluate-paths.ts')).evaluatePaths(request, options, context),
  )
  if (context.exit_code === EXIT.userError) await hintAtResume(request, context)
}

const ABLATE = new Option(
  '--ablate <field>',
  'compare each target with a copy without this field: skills, plugins, system_prompt, mcp_servers or workspace',
).conflicts('control')

const HELP = `
Set defaults for target, judge, workers, timeout and suites in .assay/config.yaml.

Exit codes:
  0 no test failed, 1 a test failed, 2 wrong usage or files,
  3 attempts could not be made or judged, 5 no tests match, 130 interrupted
  With --fail-on-regression, --fail-on-new-failures or --require-better, only the
  comparison decides, with --against or the control arm, unless --fail-on or
  --min-pass-rate is given as well:
  0 passed, 1 failed, 4 inconclusive with --require-better, 5 nothing to compare
${example('assay eval', 'assay eval evals/ --target gpt --trials 3', 'assay eval --resume', 'assay eval -o results.json', 'assay eval --affected --against main --fail-on-regression', 'assay eval --otel http://localhost:4318', 'assay eval --watch')}`
