import { printableLine } from '../lib/text/escape.ts'
import type { RunRequest } from '../operations/run/run-request.ts'
import type { CommandContext } from './command-context.ts'

/** Suggests `--resume=RUN` after `--resume RUN`, in which the run is taken for a path. */
export async function hintAtResume(given: RunRequest, { host, terminal }: CommandContext): Promise<void> {
  const { resume, rerun_failed } = given
  if (resume === undefined && rerun_failed === undefined) return
  const { pathThatIsRun } = await import('../operations/run/resolve-run.ts')
  const run = await pathThatIsRun(given, host)
  if (run === undefined) return
  terminal.err(
    `hint: did you mean --${rerun_failed === undefined ? 'resume' : 'rerun-failed'}=${printableLine(run)}?\n`,
  )
}
