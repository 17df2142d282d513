/** What `EXIT.mistakes` is: nothing is imported here, so that the program can end where not one module can be opened. */
const CANNOT_START = 2

const LAST_WAIT_MS = 500

/** Says why the program ends, and with which code. It must not load anything: there may be no file descriptor left. */
let sayThrown = (error: unknown): number => {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const isSystem = typeof (error as NodeJS.ErrnoException)?.syscall === 'string'
  process.stderr.write(`Cannot start: ${isSystem ? message : (stack ?? message)}\n`)
  return CANNOT_START
}

// A reader that goes away, as `head` does, ends the program without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
  process.stderr.write(`Cannot write the output: ${error.message}\n`)
  process.exit(CANNOT_START)
})

// One that goes away from what we tell about our work does not stop the work.
process.stderr.on('error', () => {})

// What a provider of the user's throws where nothing waits for it ends the program, with its secrets redacted.
process.on('uncaughtException', error => process.exit(sayThrown(error)))

import('./start.ts')
  .then(({ start }) =>
    start(process.argv.slice(2), say => {
      sayThrown = say
    }),
  )
  .then(
    code => {
      process.exitCode = code
      // What a provider of the user's has left open does not keep us.
      setTimeout(() => process.exit(), LAST_WAIT_MS).unref()
    },
    error => {
      process.exitCode = sayThrown(error)
    },
  )
