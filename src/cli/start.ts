import module from 'node:module'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { version } from './version.ts'

/** Says why the program ends, and with which code. */
export type SayThrown = (error: unknown) => ExitCode

/** The program: arguments in, an exit code out. What a command needs is loaded when the command is known. */
export async function start(args: readonly string[], onLoaded: (say: SayThrown) => void): Promise<ExitCode> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`)
    return EXIT.ok
  }
  // From Node 22 on, compiled code is kept between runs.
  ;(module as { enableCompileCache?: () => void }).enableCompileCache?.()
  const { runCommand, sayThrown } = await import('./program.ts')
  onLoaded(sayThrown)
  return runCommand(args)
}
