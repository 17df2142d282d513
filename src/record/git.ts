import type { Host } from '../model/host.ts'

/** How long git may take: a run never waits longer for it. */
const LIMIT_MS = 10_000

/** Enough for every baseline. */
const MAX_OUTPUT_BYTES = 500_000_000

/** What a git command printed; undefined if git is missing or took too long. */
export interface GitOutput {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Runs git in a folder. It writes nothing to the repository, and runs no file system monitor of it. */
export async function runGit(args: readonly string[], cwd: string, host: Host): Promise<GitOutput | undefined> {
  const controller = host.clock.createAbortController()
  const cancel = host.clock.setTimer(LIMIT_MS, () => controller.abort())
  try {
    return await host.processes.run({
      command: ['git', '-c', 'core.fsmonitor=false', ...args],
      cwd,
      env: { GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal: controller.signal,
    })
  } catch {
    return undefined
  } finally {
    cancel()
  }
}
