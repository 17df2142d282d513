import { Command, Option } from 'commander'
import type { ExitCode } from './exit-codes.ts'
import {
  ALLOW_FLAKY,
  collect,
  example,
  failOn,
  MIN_PASS_RATE,
  OUTPUT,
  positiveNumber,
  REPORT_FORMATS,
  share,
} from './option-values.ts'

export function explainCommand(finish: (code: ExitCode) => void): Command {
  return new Command('explain')
    .description(
      'Show how the verdict of a test came about: input, answer, tool calls, every check with its score, and the sum.',
    )
    .argument('<run>', 'a run: its id or the beginning of it, latest, its folder, or a results.jsonl')
    .argument('<test>', 'id of a test (wildcards: * and ?)')
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('-v, --verbose', 'long texts uncut, with what tools returned and the details of checks')
    .option('--json', 'the results as one JSON document')
    .addHelpText('after', example('assay explain latest greets-by-name'))
    .action(async (run, test, options) => {
      const { explainCommand } = await import('./explain.ts')
      finish(await explainCommand(run, test, options))
    })
}

export function reportCommand(finish: (code: ExitCode) => void): Command {
  return new Command('report')
    .description('Write the records of a run as a report: on stdout, or into a file or folder.')
    .argument('<run>', 'a run: its id or the beginning of it, latest, its folder, or a results.jsonl')
    .addOption(
      new Option('--format <format>', 'which report; default: by the extension of the file, else text').choices(
        REPORT_FORMATS,
      ),
    )
    .option('-o, --output <path>', 'the file; for skill-creator the folder, in which each report gets one of its own')
    .option('--target <name>', 'for skill-creator: the target with the skill, then the one without', collect)
    .option('--runs-dir <folder>', 'where runs are kept')
    .addHelpText(
      'after',
      example(
        'assay report latest',
        'assay report latest -o results.json',
        'assay report latest --format skill-creator -o my-skill-workspace',
      ),
    )
    .action(async (run, options) => {
      const { reportCommand } = await import('./report.ts')
      finish(await reportCommand(run, options))
    })
}

export function mergeCommand(finish: (code: ExitCode) => void): Command {
  return new Command('merge')
    .description('Join the shards of one plan into one run.')
    .argument('<runs...>', 'runs: ids, folders, or results.jsonl files with their run.json beside them')
    .addOption(failOn())
    .option('--min-pass-rate <rate>', MIN_PASS_RATE, share)
    .option('--allow-flaky', ALLOW_FLAKY)
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'only what did not pass')
    .addHelpText('after', example('assay merge shard-1/ shard-2/'))
    .action(async (runs, options) => {
      const { mergeCommand } = await import('./merge.ts')
      finish(await mergeCommand(runs, options))
    })
}

export function compareCommand(finish: (code: ExitCode) => void): Command {
  return new Command('compare')
    .description('Compare two runs, or two targets of one run, test by test, and say what the difference shows.')
    .argument('<runs...>', 'one or two runs: ids or their beginnings, latest, folders, or reports (.jsonl, .json)')
    .option('--target <name>', 'in one run: the first and the second; in two: which of each (repeatable)', collect)
    .option('--margin <score>', 'how much worse is still fine, from 0 to 1', share)
    .option('--fail-on-regression', 'exit with 1 where the second is worse, has more errors, or has a test that broke')
    .option('--fail-on-new-failures', 'exit with 1 where a test passed on the first and does not on the second')
    .option('--require-conclusive', 'exit with 4 where a comparison is inconclusive')
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      `${COMPARE_CODES}${example('assay compare 20261115 latest', 'assay compare main.jsonl latest --fail-on-regression --fail-on-new-failures')}`,
    )
    .action(async (runs, options, command: Command) => {
      if (runs.length > 2) command.error('error: name one run, or two')
      const { compareCommand } = await import('./compare.ts')
      finish(await compareCommand(runs, options))
    })
}

export function gradeCommand(finish: (code: ExitCode) => void): Command {
  return new Command('grade')
    .description('Judge the recorded answers of a run again, by the suite as it is now, without asking a target.')
    .argument('<run>', 'a run: its id or the beginning of it, latest, or its folder')
    .option('--suite <file>', 'another suite than that of the run (repeatable)', collect)
    .option('--judge <name>', 'the target that judges, where a check does not name one')
    .option('--targets <file>', 'the targets file, for judges')
    .option('--workers <n>', 'how many answers are judged at once', positiveNumber)
    .addOption(failOn())
    .option('--min-pass-rate <rate>', MIN_PASS_RATE, share)
    .option('--allow-flaky', ALLOW_FLAKY)
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('-o, --output <file>', OUTPUT, collect)
    .option('--json', 'print the results as JSON lines')
    .option('-q, --quiet', 'no progress, only what did not pass')
    .option('-v, --verbose', 'also what was asked and answered')
    .addHelpText('after', example('assay grade latest', 'assay grade latest --suite EVAL.yaml --judge claude'))
    .action(async (run, options) => {
      const { gradeCommand } = await import('./grade.ts')
      finish(await gradeCommand(run, options))
    })
}

const COMPARE_CODES = `
Exit codes:
  0  compared, and every option that was given holds
  1  --fail-on-regression or --fail-on-new-failures failed
  2  an unknown run or target, results that cannot be read, or, with one of
     the three options, a run that is compared with itself
  3  with one of the three options: a run is partial, or lacks a target
  4  inconclusive, with --require-conclusive
  5  no test is the same on both sides
`
