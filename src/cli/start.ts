import type { OwnProcess } from '../host/node.ts'
import { version } from '../operations/version.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'

interface StartOptions extends OwnProcess {
  onReady(reportCrash: (error: unknown) => ExitCode): void
}

/** Starts the program in this process. Everything but the version is loaded only when it is needed. */
export async function start(argv: readonly string[], { onReady, ...own }: StartOptions): Promise<ExitCode> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${version}\n`)
    return EXIT.ok
  }
  // One after another, with what reports a crash first: there may be few file descriptors.
  const { describeCrash } = await import('./crash.ts')
  onReady(error => {
    const { code, text } = describeCrash(error)
    process.stderr.write(text)
    return code
  })
  const { main } = await import('./main.ts')
  const { nodeHost } = await import('../host/node.ts')
  return main(argv, nodeHost(undefined, process.env, own), onReady)
}
