import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { InvalidFile } from '../operations/invalid-file.ts'
import { NothingSelected } from '../report/nothing-selected.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import type { Terminal } from './terminal/terminal.ts'

/** What the commands of one call of `main` work with. */
export class CommandContext {
  readonly host: Host
  readonly terminal: Terminal
  /** The arguments as typed. */
  readonly argv: readonly string[]
  exit_code: ExitCode = EXIT.ok

  constructor(host: Host, terminal: Terminal, argv: readonly string[] = []) {
    this.host = host
    this.terminal = terminal
    this.argv = argv
  }

  /** Runs a command and keeps its exit code. An error that the user can fix is printed. */
  async run(command: () => Promise<ExitCode>): Promise<void> {
    try {
      this.exit_code = await command()
    } catch (error) {
      this.reportUserError(error)
      this.exit_code = error instanceof NothingSelected ? EXIT.nothing : EXIT.userError
    }
  }

  /** Prints an error that the user can fix; throws any other one again. */
  reportUserError(error: unknown): void {
    const { terminal } = this
    if (error instanceof InvalidFile) {
      const loaded = { diagnostics: error.diagnostics, suites: [], files: 1 }
      terminal.err(diagnosticsText(loaded, terminal.path, terminal.palette('stderr')))
      return
    }
    if (!(error instanceof UserError)) throw error
    const lines = [error.message, ...(error.advice === undefined ? [] : [error.advice])]
    terminal.err(lines.map(line => `${printableLine(line)}\n`).join(''))
  }
}
