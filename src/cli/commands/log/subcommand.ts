import { Command } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import type { FoundLogs } from '../../../operations/logs/find-logs.ts'
import type { CommandContext } from '../../command-context.ts'
import { TARGETS_FILE } from '../../options.ts'
import { warningText } from '../../terminal/progress.ts'

/** Options of all commands on logs. */
export interface LogOptions {
  readonly logDir?: string
  readonly json?: boolean
}

export const LOG_ARGUMENT = 'log: its name, the beginning of it, or its first input'
export const LOGS_ARGUMENT = 'logs (default: all)'

const FOUND = 'folder of the logs (default: the nearest .co/evals, in this folder or above)'
const WRITTEN = 'folder of the logs (default: .co/evals in this folder)'

/** A command on logs that exist. */
export function logReader(name: string, description: string): Command {
  return new Command(name).description(description).option('--log-dir <folder>', FOUND)
}

/** A command that writes logs. */
export function logWriter(name: string, description: string): Command {
  return new Command(name).description(description).option('--log-dir <folder>', WRITTEN)
}

/** Options of a command that asks a target. */
export interface AskOptions {
  readonly target?: string
  readonly targets?: string
}

export function withAskOptions(command: Command): Command {
  return command
    .option('--target <name>', 'target that answers (default: default)')
    .option('--targets <file>', TARGETS_FILE)
}

/** Opens the logs that a command reads. */
export async function openFound({ logDir }: LogOptions, context: CommandContext) {
  const { findLogFolder } = await import('../../../operations/logs/find-logs.ts')
  return findLogFolder(logDir, context.host, warnOn(context))
}

/** Opens the logs that a command writes. */
export async function openNew({ logDir }: LogOptions, context: CommandContext) {
  const { newLogFolder } = await import('../../../operations/logs/find-logs.ts')
  return newLogFolder(logDir, context.host, warnOn(context))
}

function warnOn({ terminal }: CommandContext): (message: string) => void {
  return message => terminal.err(`${warningText(message, terminal.palette('stderr'))}\n`)
}

/** Reports logs that cannot be read. */
export function reportBroken({ broken }: FoundLogs, { terminal }: CommandContext): void {
  for (const { file, message } of broken)
    terminal.err(`${printableLine(`${terminal.path(file)} cannot be read: ${message}`)}\n`)
}
