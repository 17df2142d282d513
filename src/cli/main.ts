import module from 'node:module'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { version } from './version.ts'

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

main(process.argv.slice(2)).then(
  code => {
    process.exitCode = code
  },
  (error: NodeJS.ErrnoException) => {
    process.exitCode = error?.syscall === 'uv_cwd' ? reportNoFolder() : reportBug(error)
  },
)

function reportNoFolder(): ExitCode {
  process.stderr.write('The current folder does not exist any more.\n')
  return EXIT.mistakes
}

function reportBug(error: unknown): ExitCode {
  const stack = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${stack}\n\nThis is a bug in assay ${version}, not in your files.\n`)
  process.stderr.write('Please report it with the text above and, where you can, the file that caused it.\n')
  return EXIT.bug
}
