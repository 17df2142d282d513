import { type Argument, Command, type Option } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { CommandEntry } from '../command-entry.ts'
import { argumentValue, optionValue, type Value } from './values.ts'

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** The names on the way to it: `log expect`; empty for the program. */
  readonly path: string
  /** Its other paths. */
  readonly aliases: readonly string[]
  readonly subcommands: readonly { readonly name: string; readonly summary: string }[]
  readonly options: readonly CompletedOption[]
  readonly arguments: readonly CompletedArgument[]
}

export interface CompletedOption {
  /** `-o` and `--output`. */
  readonly names: readonly string[]
  readonly summary: string
  /** Whether a value follows. An optional value is only completed behind `=`. */
  readonly takes: 'nothing' | 'value' | 'optional'
  readonly value: Value
}

export interface CompletedArgument {
  readonly name: string
  readonly isVariadic: boolean
  readonly value: Value
}

/** Loads every command and returns all of them with the program first. */
export async function completedCommands(
  entries: readonly CommandEntry[],
  context: CommandContext,
): Promise<CompletedCommand[]> {
  const loaded = await Promise.all(entries.map(async entry => (await entry.load(context)).summary(entry.summary)))
  const program = new Command('').version('').helpCommand(HELP, 'Show the help of a command')
  for (const command of loaded) program.addCommand(command)
  return withSubcommands(program, '', [])
}

function withSubcommands(command: Command, path: string, aliases: readonly string[]): CompletedCommand[] {
  const help = command.createHelp()
  const visible = help.visibleCommands(command)
  const subcommands = visible.map(each => ({ name: each.name(), summary: each.summary() || each.description() }))
  const own = {
    path,
    aliases,
    subcommands,
    options: help.visibleOptions(command).map(completedOption),
    arguments: command.registeredArguments.map(argument => completedArgument(path, argument)),
  }
  const below = visible.flatMap(each => {
    const pathOf = (name: string) => (path === '' ? name : `${path} ${name}`)
    const commands = withSubcommands(each, pathOf(each.name()), each.aliases().map(pathOf))
    return each.name() === HELP ? commands.map(command => ({ ...command, arguments: [nameOf(subcommands)] })) : commands
  })
  return [own, ...below]
}

/** The command that shows the help of the others. */
const HELP = 'help'

function nameOf(commands: CompletedCommand['subcommands']): CompletedArgument {
  const value = commands.map(({ name }) => name).filter(name => name !== HELP)
  return { name: 'command', isVariadic: false, value }
}

function completedOption(option: Option): CompletedOption {
  const names = [option.short, option.long].filter(name => name !== undefined)
  const takes = option.required ? 'value' : option.optional ? 'optional' : 'nothing'
  return { names, summary: option.description, takes, value: takes === 'nothing' ? undefined : optionValue(option) }
}

function completedArgument(path: string, argument: Argument): CompletedArgument {
  return { name: argument.name(), isVariadic: argument.variadic, value: argumentValue(path, argument) }
}
