import module from 'node:module'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { version } from './version.ts'

const LAST_WAIT_MS = 500

/** The program: arguments in, an exit code out. What a command needs is loaded when the command is known. */
async function main(args: readonly string[]): Promise<ExitCode> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`)
    return EXIT.ok
  }
  // From Node 22 on, compiled code is kept between runs.
  ;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
  const { runCommand } = await import('./program.ts')
  return runCommand(args)
}

// A reader that goes away, as `head` does, ends the program without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.ok)
  process.stderr.write(`Cannot write the output: ${error.message}\n`)
  process.exit(EXIT.mistakes)
})

// One that goes away from what we tell about our work does not stop the work.
process.stderr.on('error', () => {})

// What a provider of the user's throws where nobody waits for it ends the program, but not without care for its words.
process.on('uncaughtException', error => endAfter(error).then(() => process.exit()))

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code
    // What a provider of the user's has left open does not keep us.
    setTimeout(() => process.exit(), LAST_WAIT_MS).unref()
  },
  error => endAfter(error),
)

/** Loaded only now: most starts have no need of it. */
async function endAfter(error: unknown): Promise<void> {
  const [{ thrownEnd }, { terminal }] = await Promise.all([import('./thrown-end.ts'), import('./terminal/terminal.ts')])
  const { code, text } = thrownEnd(error)
  terminal.err(text)
  process.exitCode = code
}
