import { Command } from 'commander'
import type { EvalOptions } from './eval-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import {
  ALLOW_FLAKY,
  collect,
  example,
  failOn,
  MIN_PASS_RATE,
  money,
  OUTPUT,
  positiveNumber,
  queue,
  shardOf,
  share,
  trialCount,
} from './option-values.ts'

/** The arguments of `assay eval`. */
export function evalCommand(finish: (code: ExitCode) => void): Command {
  return new Command('eval')
    .alias('run')
    .description('Run suites and judge the answers.')
    .argument('[paths...]', 'files, folders or globs; default: the current folder')
    .option('--target <name>', 'the target that answers all tests (repeatable)', collect)
    .option('--judge <name>', 'the target that judges, where a check does not name one')
    .option('--targets <file>', 'the targets file; default: the nearest .assay/targets.yaml')
    .option('--test-id <id>', 'only tests with this id; * and ? stand for anything (repeatable)', collect)
    .option('--tag <tag>', 'only tests with this tag (repeatable)', collect)
    .option('--trials <n>', 'how often each test runs', trialCount)
    .option('--shard <i/n>', 'only the i-th of n parts of the plan', shardOf)
    .option('--plan', 'show what would be run, and run nothing')
    .option('--workers <n>', 'how many attempts run at once', positiveNumber)
    .addOption(queue('have workers anywhere make the attempts').conflicts('workers'))
    .option('--max-cost <usd>', 'stop when this much has been spent', money)
    .option('--cache', 'reuse earlier answers of an unchanged target to the same question')
    .option('--fail-fast', 'start nothing new after the first test that fails')
    .addOption(failOn())
    .option('--min-pass-rate <rate>', MIN_PASS_RATE, share)
    .option('--allow-flaky', ALLOW_FLAKY)
    .option(
      '--trigger-threshold <rate>',
      'the share of trials from which on a skill counts as used; default: 0.5',
      share,
    )
    .option('--resume [=run]', 'resume the last run, or another one')
    .option('--rerun-failed [=run]', 'resume it, and add another attempt for each one that failed')
    .option('--runs-dir <folder>', 'where runs are kept; default: .assay/runs')
    .option('--log', 'also log every attempt in .co/evals')
    .option('--no-log', 'do not, though the configuration says so')
    .option('--log-dir <folder>', 'where logs are kept; default: .co/evals')
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'no progress, only what did not pass')
    .option('-v, --verbose', 'also what was asked and answered')
    .addHelpText('after', HELP)
    .action(async (paths, options) => {
      const { evalCommand } = await import('./eval.ts')
      const code = await evalCommand(paths, options)
      if (code === EXIT.mistakes) await sayResumeHint(paths, options)
      finish(code)
    })
}

async function sayResumeHint(paths: readonly string[], options: EvalOptions): Promise<void> {
  const [{ resumeHint }, { nodeHost }, { terminal }] = await Promise.all([
    import('./resume-hint.ts'),
    import('../host/node.ts'),
    import('./terminal/terminal.ts'),
  ])
  const hint = await resumeHint(paths, options, nodeHost())
  if (hint !== undefined) terminal.err(`${hint}\n`)
}

const HELP = `
Defaults for target, judge, workers, timeout and suites may stand in .assay/config.yaml.

Exit codes:
  0 no test failed, 1 a test failed, 2 a mistake in the files or the command,
  3 attempts that could not be made or judged, 5 nothing selected, 130 interrupted
${example('assay eval', 'assay eval evals/ --target gpt --trials 3', 'assay eval --resume', 'assay eval -o results.json')}`
