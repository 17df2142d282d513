import { nodeHost } from '../host/node.ts'
import { printable, safeJson } from '../lib/printable.ts'
import { findRun, NoRun } from '../record/find-run.ts'
import { mergeRuns } from '../record/merge-runs.ts'
import { readRun } from '../record/read-run.ts'
import type { GateOptions } from '../report/gate.ts'
import { conclude } from './conclusion.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { runPlace } from './run-place.ts'
import { shownPath, terminal } from './terminal/terminal.ts'
import { checkOutputs, writeOutputs } from './write-outputs.ts'

interface MergeOptions {
  readonly failOn?: NonNullable<GateOptions['fail_on']>
  readonly minPassRate?: number
  readonly runsDir?: string
  readonly output?: readonly string[]
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `assay merge`: the shards of one plan as one run, with its summary and exit code. */
export async function mergeCommand(runs: readonly string[], options: MergeOptions): Promise<ExitCode> {
  const host = nodeHost()
  try {
    await checkOutputs(options.output, host)
    const { runs_folder } = await runPlace(options.runsDir, host)
    const found = await Promise.all(runs.map(run => findRun(run, runs_folder, host)))
    const folder = await mergeRuns(found, runs_folder, host)
    const merged = await readRun(await findRun(folder, runs_folder, host), host)
    if (options.json) for (const result of merged.results()) terminal.out(safeJson(`${JSON.stringify(result)}\n`))
    const { text, code } = conclude(merged, {
      fail_on: options.failOn,
      min_pass_rate: options.minPassRate,
      quiet: options.quiet,
    })
    terminal.err(text)
    await writeOutputs(options.output, merged, host)
    merged.close()
    if (!options.quiet) terminal.err(`merged into ${printable(shownPath(folder))}\n`)
    return code
  } catch (error) {
    if (!(error instanceof NoRun)) throw error
    terminal.err(`${printable(error.message)}\n`)
    return EXIT.mistakes
  }
}
