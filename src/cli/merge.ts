import { nodeHost } from '../host/node.ts'
import { printable, terminalSafeJson } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import { findRun } from '../record/find-run.ts'
import { mergeRuns } from '../record/merge-runs.ts'
import { findProjectFolders, isTrustedRun } from '../record/project-folders.ts'
import type { GateOptions } from '../report/outcome/gate.ts'
import { conclude } from './conclusion.ts'
import type { ExitCode } from './exit-codes.ts'
import { openRun } from './open-run.ts'
import { orMistake } from './or-mistake.ts'
import { shownPath, terminal } from './terminal/terminal.ts'
import { checkOutputs, writeOutputs } from './write-outputs.ts'

interface MergeOptions {
  readonly failOn?: NonNullable<GateOptions['fail_on']>
  readonly minPassRate?: number
  readonly allowFlaky?: boolean
  readonly runsDir?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `assay merge`: the shards of one plan as one run, with its summary and exit code. */
export function mergeCommand(
  runs: readonly string[],
  options: MergeOptions,
  host: Host = nodeHost(),
): Promise<ExitCode> {
  return orMistake(async () => {
    await checkOutputs(options.output, host)
    const place = await findProjectFolders(options.runsDir, host)
    const { runs_folder } = place
    const found = await Promise.all(runs.map(run => findRun(run, runs_folder, host)))
    const areOwn = await Promise.all(found.map(run => isTrustedRun(run, place, host)))
    const { folder, damaged } = await mergeRuns(found, runs_folder, areOwn.includes(false), host)
    if (damaged > 0) terminal.err(`${damaged} damaged lines of the shards are left out.\n`)
    const merged = await openRun(folder, runs_folder, host)
    if (options.json)
      for (const result of merged.results()) terminal.out(terminalSafeJson(`${JSON.stringify(result)}\n`))
    const gate = { fail_on: options.failOn, min_pass_rate: options.minPassRate, allow_flaky: options.allowFlaky }
    const { text, code } = conclude(merged, { ...gate, quiet: options.quiet })
    terminal.err(text)
    await writeOutputs(options.output, merged, host)
    merged.close()
    if (!options.quiet) terminal.err(`merged into ${printable(shownPath(folder))}\n`)
    return code
  })
}
