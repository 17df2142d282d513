import { join } from 'node:path'
import { CodeCache } from '../host/code-cache.ts'
import { YoungGeneration } from '../host/young-generation.ts'

/** The code of `EXIT.userError`: this file has all that it needs, so that the program can end where no other can be opened. */
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

const args = process.argv.slice(2)
const young = new YoungGeneration()
const command = args.find(arg => /^[a-z][a-z-]*$/.test(arg)) ?? 'none'
const code = new CodeCache(import.meta.dirname, command, young)
// A command that does not exist ends with a higher code.
process.on('exit', exitCode => {
  if (exitCode < CANNOT_START) code.write()
})

runProgram().then(
  exitCode => {
    process.exitCode = exitCode
    // Handles that a custom provider leaves open do not keep the process alive.
    setTimeout(() => process.exit(), LAST_WAIT_MS).unref()
  },
  error => {
    process.exitCode = reportCrash(error)
  },
)

async function runProgram(): Promise<number> {
  const { start } = code.load(join(import.meta.dirname, 'start.cjs')) as typeof import('./start.ts')
  return start(args, {
    onReady: report => {
      reportCrash = report
    },
    // Here, since Node 20 cannot import from cached code.
    importUrl: url => import(url),
    limitYoungGeneration: () => young.limit(),
  })
}
