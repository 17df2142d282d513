/** The code of `EXIT.userError`: nothing is imported here, so that the program can end where no module can be opened. */
const CANNOT_START = 2

const LAST_WAIT_MS = 500

/** Reports an unexpected error and returns the exit code. It loads nothing: there may be no file descriptor left. */
let reportCrash = (error: unknown): number => {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const isSystem = typeof (error as NodeJS.ErrnoException)?.syscall === 'string'
  process.stderr.write(`Cannot start: ${isSystem ? message : (stack ?? message)}\n`)
  return CANNOT_START
}

// A reader that goes away, as `head` does, ends the program silently.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  process.stderr.write(`Cannot write the output: ${error.message}\n`)
  process.exit(CANNOT_START)
})

// A reader of stderr that goes away does not stop the work.
process.stderr.on('error', () => {})

// An error that a custom provider throws outside of its promises ends the program, with secrets redacted.
process.on('uncaughtException', error => process.exit(reportCrash(error)))

import('./start.ts')
  .then(({ start }) =>
    start(process.argv.slice(2), report => {
      reportCrash = report
    }),
  )
  .then(
    code => {
      process.exitCode = code
      // Handles that a custom provider leaves open do not keep the process alive.
      setTimeout(() => process.exit(), LAST_WAIT_MS).unref()
    },
    error => {
      process.exitCode = reportCrash(error)
    },
  )
