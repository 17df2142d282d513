import { Command, CommanderError } from 'commander'
import { printable } from '../lib/text/escape.ts'
import { compareCommand, explainCommand, gradeCommand, mergeCommand, reportCommand } from './commands-on-runs.ts'
import {
  initCommand,
  listCommand,
  schemaCommand,
  targetsCommand,
  transpileCommand,
  validateCommand,
} from './commands-on-suites.ts'
import { evalCommand } from './eval-command.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { logCommand } from './log-command.ts'
import { example } from './option-values.ts'
import { queueCommand, workerCommand } from './queue-commands.ts'
import { terminal } from './terminal/terminal.ts'
import { thrownEnd } from './thrown-end.ts'
import { version } from './version.ts'

/** Reads the arguments and runs the command that they name. */
export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok
  const program = buildProgram(result => {
    code = result
  })
  try {
    await program.parseAsync(args.map(withLatest).map(withQueue), { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.ok : EXIT.mistakes
  }
}

/** Says why the program ends, and with which code. Everything that it needs is loaded with the commands. */
export function sayThrown(error: unknown): ExitCode {
  const { code, text } = thrownEnd(error)
  terminal.err(text)
  return code
}

/** Options whose value follows only behind `=`, so that a path after them stays a path. */
function withLatest(arg: string): string {
  return arg === '--resume' || arg === '--rerun-failed' ? `${arg}=latest` : arg
}

/** A path behind `--queue` is a path: what could be meant for Redis is not. */
function withQueue(arg: string, at: number, args: readonly string[]): string {
  const next = args[at + 1] ?? ''
  const isPlace = /:\/\/|^\$\{\{|^[\w.-]+:\d+$/.test(next)
  return arg === '--queue' && !isPlace ? '--queue=' : arg
}

function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('assay')
    .description('Test AI agents: a suite of tests in one EVAL.yaml, one command, and a verdict you can trust.')
    .version(version)
    .exitOverride()
    // What is wrong with an argument is said with the argument, which may be the name of somebody's file.
    .configureOutput({ writeErr: text => terminal.err(printable(text)) })
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
    gradeCommand,
    targetsCommand,
    transpileCommand,
    logCommand,
    workerCommand,
    queueCommand,
    schemaCommand,
    initCommand,
  ]
  for (const command of commands.map(make => make(finish))) {
    program.addCommand(command.copyInheritedSettings(program))
    for (const inner of command.commands) inner.copyInheritedSettings(program)
  }
  return program
}
