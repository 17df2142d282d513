import { Command, CommanderError } from 'commander'
import { printable } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import { version } from '../operations/version.ts'
import { CommandContext } from './command-context.ts'
import type { CommandEntry } from './command-entry.ts'
import { commands } from './commands/index.ts'
import { describeCrash } from './crash.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { example } from './options.ts'
import { Terminal } from './terminal/terminal.ts'

/**
 * Runs one command line. It touches the world only through `host`, so that a process may call it many times, also at once.
 * `onReady` gets what reports errors that are thrown outside of the command.
 */
export async function main(
  argv: readonly string[],
  host: Host,
  onReady: (reportCrash: (error: unknown) => ExitCode) => void = () => {},
): Promise<ExitCode> {
  const terminal = new Terminal(host)
  const reportCrash = (error: unknown): ExitCode => {
    const { code, text } = describeCrash(error)
    terminal.err(text)
    return code
  }
  onReady(reportCrash)
  const context = new CommandContext(host, terminal, argv)
  try {
    const program = await buildProgram(argv, context)
    await program.parseAsync(completed(argv), { from: 'user' })
    return context.exit_code
  } catch (error) {
    if (!(error instanceof CommanderError)) return reportCrash(error)
    return error.exitCode === 0 ? EXIT.ok : EXIT.userError
  }
}

/** The arguments with the values that options have by default. What follows `--` is left as it is. */
function completed(argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return [...argv.slice(0, end).map(withLatest).map(withQueue), ...argv.slice(end)]
}

/** Options whose value follows only behind `=`, so that a path after them stays a path. */
function withLatest(arg: string): string {
  return arg === '--resume' || arg === '--rerun-failed' ? `${arg}=latest` : arg
}

/** A path behind `--queue` stays a path, unless it looks like the address of a Redis. */
function withQueue(arg: string, at: number, args: readonly string[]): string {
  const next = args[at + 1] ?? ''
  const isAddress = /:\/\/|^\$\{\{|^[\w.-]+:\d+$/.test(next)
  return arg === '--queue' && !isAddress ? '--queue=' : arg
}

/** The program with the command that the arguments name; with all commands, for their names, if they name none. */
async function buildProgram(argv: readonly string[], context: CommandContext): Promise<Command> {
  const { host, terminal } = context
  const { stdout, stderr } = host.terminal
  const program = new Command('assay')
    .description('Test AI agents: a suite of tests in one EVAL.yaml, one command, and a verdict you can trust.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: terminal.out,
      // Errors quote arguments, which may hold control characters.
      writeErr: text => terminal.err(printable(text)),
      getOutHelpWidth: () => (stdout.isTTY ? stdout.columns : undefined) as number,
      getErrHelpWidth: () => (stderr.isTTY ? stderr.columns : undefined) as number,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ subcommandTerm: command => command.name() })
    .commandsGroup('Help:')
    .helpCommand('help', 'Show the help of a command')
    .showHelpAfterError('(use --help for usage)')
    .addHelpText('after', example('assay init', 'assay eval'))
  const [first, second] = argv.filter(arg => !arg.startsWith('-'))
  const named = first === 'help' ? second : first
  const entry = commands.find(({ name, alias }) => named !== undefined && [name, alias].includes(named))
  if (entry) addCommand(program, await entry.load(context), entry)
  else for (const other of commands) addCommand(program, listedOnly(other), other)
  return program
}

function addCommand(program: Command, command: Command, { summary, section }: CommandEntry): void {
  command.summary(summary).helpGroup(section).copyInheritedSettings(program)
  for (const inner of command.commands) inner.copyInheritedSettings(program)
  program.addCommand(command)
}

/** A command that is shown in the help and suggested, but not run. */
function listedOnly({ name, alias }: CommandEntry): Command {
  const command = new Command(name)
  return alias === undefined ? command : command.alias(alias)
}
