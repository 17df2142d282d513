import { Command } from 'commander'
import { PLAIN } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import { renderTable } from '../../../lib/text/table.ts'
import type { ListedRun, RunList } from '../../../operations/runs.ts'
import { commitText } from '../../../report/provenance.ts'
import { countsText } from '../../../report/summary.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, positiveNumber } from '../../options.ts'
import { type FilterOptions, runsOptions, withFilterOptions } from './run-filter.ts'

const SHOWN = 20

interface Options extends FilterOptions {
  readonly limit?: number
  readonly json?: boolean
}

export function listCommand(context: CommandContext): Command {
  const command = new Command('list').description('List runs, newest first.')
  return withFilterOptions(command)
    .option('--limit <n>', `maximum number of runs (default: ${SHOWN}; with --json: all)`, positiveNumber)
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay runs', 'assay runs list --branch main --newer-than 7d'))
    .action(options => context.run(() => list(options, context)))
}

async function list(options: Options, { host, terminal }: CommandContext): Promise<ExitCode> {
  const { listRuns } = await import('../../../operations/runs.ts')
  const limit = options.limit ?? (options.json ? Number.POSITIVE_INFINITY : SHOWN)
  const found = await listRuns({ ...runsOptions(options), limit }, host)
  if (options.json) terminal.json(found.runs.map(run => runData(run, terminal.path)))
  else terminal.out(listText(found, host.clock.localTime, terminal.path))
  return EXIT.ok
}

function runData({ id, folder, info, started, problem, holder, outcome }: ListedRun, path: (file: string) => string) {
  return {
    run_id: id,
    folder: path(folder),
    started,
    problem,
    running: holder,
    label: info?.label,
    git_commit: info?.git_commit,
    git_branch: info?.git_branch,
    git_dirty: info?.git_dirty,
    resumes: info?.resumes,
    merged_from: info?.merged_from,
    source: info?.source,
    planned_tests: outcome?.planned_tests,
    counts: outcome?.counts,
    partial: outcome?.partial,
    damaged: outcome?.damaged,
  }
}

type LocalTime = (timestamp: string) => string

function listText(
  { runs, more, others, runs_folder }: RunList,
  localTime: LocalTime,
  path: (file: string) => string,
): string {
  const folder = printableLine(path(runs_folder))
  if (runs.length === 0)
    return others > 0 ? `None of ${plural(others, 'run')} in ${folder} matches.\n` : `No runs found in ${folder}.\n`
  const rows = runs.map(run => rowOf(run, localTime).map(printableLine))
  const table = renderTable(withoutEmptyColumns([HEADER, ...rows]), HEADER.length)
  return `${table}${more > 0 ? `and ${plural(more, 'older run')}: show more with --limit\n` : ''}`
}

const HEADER = ['run', 'started', 'outcome', 'label', 'branch', 'commit', 'notes']

function rowOf({ id, info, started, problem, holder, outcome }: ListedRun, localTime: LocalTime): string[] {
  const { git_commit, git_dirty, merged_from = [], resumes = [], source } = info ?? {}
  const commits = new Set([...merged_from, ...resumes].map(state => state.git_commit))
  const notes = [
    ...(holder === undefined ? [] : [`running: ${holder}`]),
    ...(problem === undefined ? [] : [problem]),
    ...(source === undefined ? [] : [`answers of ${source}`]),
    ...([...commits].some(commit => commit !== git_commit) ? ['several commits'] : []),
    ...(outcome?.partial === undefined ? [] : [outcome.partial]),
    ...(outcome && outcome.damaged > 0 ? [plural(outcome.damaged, 'damaged line')] : []),
  ]
  return [
    id,
    started === undefined ? '-' : localTime(started),
    outcome ? countsText(outcome, PLAIN) : '-',
    info?.label ?? '',
    info?.git_branch ?? '',
    git_commit === undefined ? '' : commitText({ git_commit, git_dirty }),
    notes.join('; '),
  ]
}

/** Leaves out columns in which only the header has a text. */
function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  return rows.map(row => row.filter((_, column) => rows.slice(1).some(other => other[column] !== '')))
}
