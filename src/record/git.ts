import { dirname } from 'node:path'
import type { Host, ProgramEnd } from '../model/host.ts'
import { WITHOUT_GIT_VARIABLES } from '../model/program.ts'

interface GitOptions {
  /** Time after which git is ended. Default: 10 seconds. */
  readonly limit_ms?: number
  /** Receives each line of the output, which is not kept then. */
  readonly onLine?: (line: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Enough for every baseline. */
const MAX_OUTPUT_BYTES = 500_000_000

/**
 * Runs git at the root of a repository; undefined if git is missing or takes too long. It writes nothing, starts no file
 * system monitor, and never takes a broken repository for the one around it.
 */
export async function runGit(
  args: readonly string[],
  root: string,
  host: Host,
  { limit_ms = 10_000, onLine, signal }: GitOptions = {},
): Promise<ProgramEnd | undefined> {
  const limit = host.clock.createAbortController()
  const cancel = host.clock.setTimer(limit_ms, () => limit.abort())
  return host.processes
    .run({
      command: ['git', '-c', 'core.fsmonitor=false', ...args],
      cwd: root,
      env: { ...WITHOUT_GIT_VARIABLES, GIT_OPTIONAL_LOCKS: '0', GIT_CEILING_DIRECTORIES: dirname(root) },
      onLine,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal: signal ? AbortSignal.any([limit.signal, signal]) : limit.signal,
    })
    .catch(() => undefined)
    .finally(cancel)
}
