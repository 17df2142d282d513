import type { Command } from 'commander'
import type { CommandContext } from './command-context.ts'

/** A command of the program, which is loaded when it is used. */
export interface CommandEntry {
  readonly name: string
  readonly alias?: string
  /** One short line in the help of the program. */
  readonly summary: string
  readonly section: Section
  load(context: CommandContext): Promise<Command>
}

type Section = 'Run:' | 'Look:' | 'Decide:' | 'Judges:' | 'Skills:' | 'Logs:' | 'Machines:' | 'Help:'
