import { Command } from 'commander'
import { millisecondsOf } from '../../../lib/dates.ts'
import { PLAIN } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatBytes } from '../../../lib/text/format.ts'
import { shellWord } from '../../../lib/text/quote.ts'
import { renderTable } from '../../../lib/text/table.ts'
import type { RunInfo } from '../../../model/run-info.ts'
import type { ShownRun } from '../../../operations/runs.ts'
import { runNotes } from '../../../report/outcome/run-notes.ts'
import { commitText } from '../../../report/provenance.ts'
import { countsText } from '../../../report/summary.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, RUN_ARGUMENT } from '../../options.ts'

interface Options {
  readonly runsDir?: string
  readonly json?: boolean
}

export function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Show where a run comes from, what was run, and the outcome.')
    .argument('<run>', RUN_ARGUMENT)
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay runs show latest'))
    .action((run, options) => context.run(() => show(run, options, context)))
}

async function show(name: string, { runsDir, json }: Options, { host, terminal }: CommandContext): Promise<ExitCode> {
  const { showRun } = await import('../../../operations/runs.ts')
  const shown = await showRun(name, runsDir, host)
  try {
    if (json) terminal.json(shownData(shown, terminal.path))
    else terminal.out(shownText(shown, host.clock.localTime, terminal.path))
    return EXIT.ok
  } finally {
    shown.run.close()
  }
}

type ShowPath = (file: string) => string

function shownData({ run, outcome, folder, bytes, holder }: ShownRun, path: ShowPath) {
  const { counts, planned_tests, not_run, partial, damaged, cost_usd } = outcome
  const summary = { planned_tests, counts, not_run, partial, damaged, cost_usd }
  return { run: run.info ?? {}, summary, folder: path(folder), bytes, running: holder }
}

function shownText(shown: ShownRun, localTime: (timestamp: string) => string, path: ShowPath): string {
  const { run, outcome, folder, bytes, holder } = shown
  const { info } = run
  const rows: (readonly [name: string, text: string | undefined])[] = [
    ...(info ? infoRows(info, localTime) : []),
    ['outcome', countsText(outcome, PLAIN)],
    ...runNotes(outcome).map(note => ['note', note] as const),
    ['running', holder],
    ['size', `${formatBytes(bytes)} in ${path(folder)}`],
  ]
  const known = rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, printableLine(text)]]))
  return renderTable(known, 2)
}

type Row = readonly [name: string, text: string | undefined]

function infoRows(info: RunInfo, localTime: (timestamp: string) => string): Row[] {
  const { resumes = [], merged_from = [], suites, targets, command, source } = info
  const isKnown = millisecondsOf(info.started) !== undefined
  return [
    ['run', info.run_id],
    ['started', isKnown ? localTime(info.started) : info.started],
    ['commit', info.git_commit],
    ['branch', info.git_branch],
    ['uncommitted changes', info.git_dirty === undefined ? undefined : info.git_dirty ? 'yes' : 'no'],
    ...resumes.map((resume): Row => ['resumed at', commitText(resume)]),
    ...merged_from.map((merged): Row => ['merged from', `${merged.run_id} at ${commitText(merged)}`]),
    ['label', info.label],
    ['command', command?.map(shellWord).join(' ')],
    ['CI job', info.ci_url],
    ['files', info.source_url],
    ['answers of', source],
    ['suites', suites.map(({ name, file }) => `${name} (${file})`).join(', ')],
    ['targets', targets.map(({ name }) => String(name)).join(', ')],
    ['versions', `assay ${info.assay_version}, Node ${info.node_version} on ${info.platform}`],
  ]
}
