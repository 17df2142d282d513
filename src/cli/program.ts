import { Command, CommanderError, Option } from 'commander'
import { evalCommand } from './eval-command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { logCommand } from './log-command.ts'
import { collect, example, failOn, MIN_PASS_RATE, OUTPUT, REPORT_FORMATS, share, wholeNumber } from './option-values.ts'
import { version } from './version.ts'

/** Reads the arguments and runs the command that they name. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok
  const program = buildProgram(result => {
    code = result
  })
  try {
    await program.parseAsync(args.map(withLatest), { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.ok : EXIT.mistakes
  }
}

/** Options whose value follows only behind `=`, so that a path after them stays a path. */
function withLatest(arg: string): string {
  return arg === '--resume' || arg === '--rerun-failed' ? `${arg}=latest` : arg
}

function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('assay')
    .description('Test AI agents: a suite of tests in one EVAL.yaml, one command, and a verdict you can trust.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(use --help for usage)')
    .addHelpText('after', example('assay init', 'assay eval'))
  const commands = [
    evalCommand,
    validateCommand,
    listCommand,
    explainCommand,
    reportCommand,
    mergeCommand,
    compareCommand,
    targetsCommand,
    transpileCommand,
    logCommand,
    schemaCommand,
    initCommand,
  ]
  for (const command of commands.map(make => make(finish))) {
    program.addCommand(command.copyInheritedSettings(program))
    for (const inner of command.commands) inner.copyInheritedSettings(program)
  }
  return program
}

function validateCommand(finish: (code: ExitCode) => void): Command {
  return new Command('validate')
    .description('Find every mistake in suites, datasets, targets files and the configuration.')
    .argument('[paths...]', 'files, folders or globs; - for stdin; default: the current folder')
    .addOption(
      new Option('--format <format>', 'how mistakes are printed')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--json', 'the same as --format json')
    .option('--targets', 'also the targets in use, and whether every check can be graded')
    .option('--strict', 'warnings are errors')
    .option('--max-warnings <n>', 'fail when there are more warnings than this', wholeNumber)
    .addHelpText(
      'after',
      example('assay validate', 'assay validate evals/ --strict', 'cat EVAL.yaml | assay validate -'),
    )
    .action(async (paths, options) => {
      const { validate } = await import('./validate.ts')
      finish(await validate(paths, { ...options, format: options.json ? 'json' : options.format }))
    })
}

function explainCommand(finish: (code: ExitCode) => void): Command {
  return new Command('explain')
    .description('Show how the verdict of a test came about: every check, its score and weight, and the sum.')
    .argument('<run>', 'a run: its id or the beginning of it, latest, its folder, or a results.jsonl')
    .argument('<test>', 'id of a test; * and ? stand for anything')
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('--json', 'the results as one JSON document')
    .addHelpText('after', example('assay explain latest greets-by-name'))
    .action(async (run, test, options) => {
      const { explainCommand } = await import('./explain.ts')
      finish(await explainCommand(run, test, options))
    })
}

function reportCommand(finish: (code: ExitCode) => void): Command {
  return new Command('report')
    .description('Write the records of a run as a report: on stdout, or into a file or folder.')
    .argument('<run>', 'a run: its id or the beginning of it, latest, its folder, or a results.jsonl')
    .addOption(
      new Option('--format <format>', 'which report; default: by the ending of the file').choices(REPORT_FORMATS),
    )
    .option('-o, --output <path>', 'the file; for skill-creator the folder, in which each report gets one of its own')
    .option('--target <name>', 'for skill-creator: the target with the skill, then the one without', collect)
    .option('--runs-dir <folder>', 'where runs are kept')
    .addHelpText(
      'after',
      example(
        'assay report latest -o results.json',
        'assay report latest --format skill-creator -o my-skill-workspace',
      ),
    )
    .action(async (run, options) => {
      const { reportCommand } = await import('./report.ts')
      finish(await reportCommand(run, options))
    })
}

function mergeCommand(finish: (code: ExitCode) => void): Command {
  return new Command('merge')
    .description('Join the shards of one plan into one run.')
    .argument('<runs...>', 'runs: ids, folders, or results.jsonl files with their run.json beside them')
    .addOption(failOn())
    .option('--min-pass-rate <rate>', MIN_PASS_RATE, share)
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

function compareCommand(finish: (code: ExitCode) => void): Command {
  return new Command('compare')
    .description('Compare two runs, or two targets of one run, test by test, and say what the difference shows.')
    .argument('<runs...>', 'one or two runs: ids or their beginnings, latest, folders, or results.jsonl files')
    .option('--target <name>', 'in one run: the first and the second; in two: which of each (repeatable)', collect)
    .option('--margin <score>', 'how much worse is still fine, from 0 to 1', share)
    .option('--fail-on-regression', 'exit with 1 where the second is worse')
    .option('--require-conclusive', 'exit with 4 where nothing is shown')
    .option('--runs-dir <folder>', 'where runs are kept')
    .option('--json', 'as one JSON document')
    .addHelpText(
      'after',
      `${COMPARE_CODES}${example('assay compare 20261115 latest', 'assay compare latest --target old --target new --fail-on-regression')}`,
    )
    .action(async (runs, options, command: Command) => {
      if (runs.length > 2) command.error('error: name one run, or two')
      const { compareCommand } = await import('./compare.ts')
      finish(await compareCommand(runs, options))
    })
}

const COMPARE_CODES = `
Exit codes:
  0 it was compared, 1 worse (--fail-on-regression), 2 a mistake,
  4 nothing is shown (--require-conclusive), 5 nothing to compare
`

function listCommand(finish: (code: ExitCode) => void): Command {
  return new Command('list')
    .description('List suites and their tests.')
    .argument('[paths...]', 'files, folders or globs; default: the current folder')
    .option('--json', 'as one JSON document')
    .addHelpText('after', example('assay list', 'assay list evals/ --json'))
    .action(async (paths, options) => {
      const { list } = await import('./list.ts')
      finish(await list(paths, options))
    })
}

function targetsCommand(finish: (code: ExitCode) => void): Command {
  return new Command('targets')
    .description('Show what each target is, and whether what it needs is there.')
    .argument('[name]', 'only this one')
    .option('--targets <file>', 'the targets file; default: the nearest .assay/targets.yaml')
    .option('--ping', 'also ask each for one word')
    .option('--json', 'as one JSON document')
    .addHelpText('after', `${TARGETS_CODES}${example('assay targets', 'assay targets gpt --ping')}`)
    .action(async (name, options) => {
      const { targetsCommand } = await import('./targets.ts')
      finish(await targetsCommand(name, options))
    })
}

const TARGETS_CODES = `
Exit codes:
  0 all is there, 2 a mistake, a missing key or program, 3 a target that did not answer
`

function transpileCommand(finish: (code: ExitCode) => void): Command {
  return new Command('transpile')
    .description('Write a suite as the evals.json and the trigger set of skill-creator, or an evals.json as a suite.')
    .argument('[suite]', 'an EVAL.yaml')
    .option('--out-dir <folder>', "where the files go; default: the suite's folder")
    .addOption(
      new Option('--stdout', 'print the files as JSON instead: [{file, content}]').conflicts(['outDir', 'force']),
    )
    .addOption(
      new Option('--dialect <name>', 'under which name the statements about an answer are written')
        .choices(['assertions', 'skill-creator', 'both'])
        .default('assertions'),
    )
    .addOption(
      new Option('--check', 'write nothing; fail where a file is not what would be written').conflicts([
        'stdout',
        'force',
      ]),
    )
    .addOption(
      new Option('--from <file>', 'an evals.json to make an EVAL.yaml of').conflicts([
        'outDir',
        'stdout',
        'check',
        'dialect',
      ]),
    )
    .option('-o, --output <file>', 'with --from: where the EVAL.yaml goes; default: stdout')
    .option('--strict', 'what would be lost is an error')
    .option('--force', 'write over files of others')
    .addHelpText(
      'after',
      example('assay transpile EVAL.yaml --out-dir skill/evals', 'assay transpile --from evals.json -o EVAL.yaml'),
    )
    .action(async (suite, options, command: Command) => {
      if ((suite === undefined) === (options.from === undefined)) {
        command.error('error: name an EVAL.yaml, or an evals.json with --from')
      }
      if (options.output !== undefined && options.from === undefined) {
        command.error('error: -o goes with --from; --out-dir says where other files go')
      }
      if (options.from === undefined) {
        const { transpileCommand } = await import('./transpile.ts')
        finish(await transpileCommand(suite, options))
      } else {
        const { transpileFrom } = await import('./transpile-from.ts')
        finish(await transpileFrom(options.from, options))
      }
    })
}

function schemaCommand(finish: (code: ExitCode) => void): Command {
  return new Command('schema')
    .description('Print a JSON Schema, for editors and other tools.')
    .addArgument(
      new Command()
        .createArgument('[name]', 'which one')
        .choices(['eval', 'targets', 'config', 'result', 'judge-input', 'judge-output'])
        .default('eval'),
    )
    .addHelpText('after', example('assay schema > eval.schema.json', 'assay schema targets'))
    .action(async name => {
      const { schema } = await import('./schema.ts')
      finish(schema(name))
    })
}

function initCommand(finish: (code: ExitCode) => void): Command {
  return new Command('init')
    .description('Write a small suite, its targets and what editors need. Never over a file that is there.')
    .argument('[folder]', 'where; default: the current folder', '.')
    .option('--json', 'print what was written as one JSON document')
    .addHelpText('after', example('assay init', 'assay init my-evals'))
    .action(async (folder, options) => {
      const { init } = await import('./init.ts')
      finish(await init(folder, options))
    })
}
