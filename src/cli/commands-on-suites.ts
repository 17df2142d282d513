import { Command, Option } from 'commander'
import type { ExitCode } from './exit-codes.ts'
import { example, wholeNumber } from './option-values.ts'

export function validateCommand(finish: (code: ExitCode) => void): Command {
  return new Command('validate')
    .description('Find every mistake in suites, datasets, targets files and the configuration.')
    .argument('[paths...]', 'files, folders or globs; - for stdin; default: the current folder')
    .addOption(
      new Option('--format <format>', 'how mistakes are printed')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--json', 'the same as --format json')
    .option(
      '--targets',
      'also the targets in use with their variables and modules, and whether every check can be graded',
    )
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

export function listCommand(finish: (code: ExitCode) => void): Command {
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

export function targetsCommand(finish: (code: ExitCode) => void): Command {
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

export function transpileCommand(finish: (code: ExitCode) => void): Command {
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

export function schemaCommand(finish: (code: ExitCode) => void): Command {
  return new Command('schema')
    .description('Print a JSON Schema, for editors and other tools.')
    .addArgument(
      new Command()
        .createArgument('[name]', 'which one')
        .choices(['eval', 'targets', 'config', 'answer', 'result', 'judge-input', 'judge-output'])
        .default('eval'),
    )
    .addHelpText('after', example('assay schema > eval.schema.json', 'assay schema targets'))
    .action(async name => {
      const { schema } = await import('./schema.ts')
      finish(schema(name))
    })
}

export function initCommand(finish: (code: ExitCode) => void): Command {
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

const TARGETS_CODES = `
Exit codes:
  0 all is there, 2 a mistake, a missing key or program, 3 a target that did not answer
`
