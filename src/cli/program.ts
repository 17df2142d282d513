import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { version } from './version.ts'

/** Reads the arguments and runs the command that they name. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok
  const program = buildProgram(result => {
    code = result
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.ok : EXIT.mistakes
  }
}

function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('assay')
    .description('Test AI agents: a suite of tests in one EVAL.yaml, one command, and a verdict you can trust.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(use --help for usage)')
    .addHelpText('after', example('assay init', 'assay validate'))
  for (const command of [validateCommand(finish), listCommand(finish), schemaCommand(finish), initCommand(finish)]) {
    program.addCommand(command.copyInheritedSettings(program))
  }
  return program
}

function validateCommand(finish: (code: ExitCode) => void): Command {
  return new Command('validate')
    .description('Find every mistake in suites, datasets and targets files.')
    .argument('[paths...]', 'files, folders or globs; - for stdin; default: the current folder')
    .addOption(
      new Option('--format <format>', 'how mistakes are printed')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option('--json', 'the same as --format json')
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

function schemaCommand(finish: (code: ExitCode) => void): Command {
  return new Command('schema')
    .description('Print a JSON Schema, for editors and other tools.')
    .addArgument(new Command().createArgument('[name]', 'which one').choices(['eval', 'targets']).default('eval'))
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

function example(...commands: string[]): string {
  return `\nExample${commands.length > 1 ? 's' : ''}:\n${commands.map(command => `  $ ${command}\n`).join('')}`
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}
