import { Command } from 'commander'
import { groupBy } from '../../lib/collections.ts'
import { printableLine, terminalSafeJson } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { renderTable } from '../../lib/text/table.ts'
import type { Baseline, BaselineTest } from '../../model/baseline.ts'
import { UserError } from '../../model/user-error.ts'
import type { ListedBaseline } from '../../operations/baselines/list-baselines.ts'
import type { SavedBaseline } from '../../operations/baselines/save-baseline.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example, RUN_ARGUMENT } from '../options.ts'
import { diagnosticsText } from '../terminal/diagnostics.ts'
import { warningText } from '../terminal/progress.ts'

interface Options {
  readonly name?: string
  readonly replace?: boolean
  readonly runsDir?: string
  readonly json?: boolean
}

export function baselineCommand(context: CommandContext): Command {
  const baseline = new Command('baseline')
    .description('Save the results of a run in .assay/baselines, for git, and compare later runs with them.')
    .addHelpText('after', example('assay baseline save', 'assay eval --against main', 'assay compare main latest'))
  baseline
    .command('save')
    .description('Save a run as a baseline: one line for each test on a target.')
    .argument('[run]', `${RUN_ARGUMENT} (default: latest)`)
    .option('--name <name>', 'name of the baseline (default: main)')
    .option('--replace', 'drop tests that the run does not have')
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .addHelpText('after', `${SAVE_HELP}${example('assay baseline save', 'assay baseline save latest --name nightly')}`)
    .action((run, options) => context.run(() => save(run, options, context)))
  baseline
    .command('list')
    .description('List the baselines of the project.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay baseline list'))
    .action(options => context.run(() => list(options, context)))
  baseline
    .command('show')
    .description('Show what a baseline has saved.')
    .argument('[name]', 'name of the baseline (default: main)')
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay baseline show main'))
    .action((name, options) => context.run(() => show(name, options, context)))
  baseline
    .command('rm')
    .description('Remove baselines.')
    .argument('<names...>', 'names of baselines')
    .addHelpText('after', example('assay baseline rm nightly'))
    .action(names => context.run(() => remove(names, context)))
  return baseline
}

const SAVE_HELP = `
Tests that the run does not cover keep their results, such as those of other
suites or targets. A run that is not finished is not saved. A baseline with
conflicts of git is resolved by a run that has the tests in conflict.
`

async function save(run: string | undefined, options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { saveBaseline } = await import('../../operations/baselines/save-baseline.ts')
  const { name, replace, runsDir: runs_dir } = options
  const saved = await saveBaseline({ run, name, replace, runs_dir }, host)
  for (const line of savedLines(saved, terminal.path(saved.path))) terminal.out(`${printableLine(line)}\n`)
  if (saved.errors > 0) terminal.err(`${warningText(errorsText(saved.errors), terminal.palette('stderr'))}\n`)
  return EXIT.ok
}

function errorsText(errors: number): string {
  return `${plural(errors, 'test')} with errors: the baseline has them as errors, and --affected runs them again`
}

function savedLines(saved: SavedBaseline, path: string): string[] {
  const { baseline, run, is_changed, had_conflicts, partial, added, updated, same, removed, kept } = saved
  const counts = [
    ...(updated.length > 0 ? [`${updated.length} updated`] : []),
    ...(added.length > 0 ? [`${added.length} new`] : []),
    ...(same > 0 ? [`${same} the same`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
    ...(kept.length > 0 ? [`${kept.length} kept, which the run does not cover`] : []),
  ]
  return [
    `${is_changed ? 'wrote' : 'unchanged'} ${path}: ${plural(baseline.tests.length, 'result')} (${counts.join(', ')})`,
    ...(had_conflicts ? ['conflicts of git resolved'] : []),
    ...(partial === undefined ? [] : [`${run} is a partial run: ${partial}`]),
    ...(is_changed ? [`Next: git add ${path}`] : []),
  ]
}

async function list({ json }: Options, { host, terminal }: CommandContext): Promise<ExitCode> {
  const { listSaved } = await import('../../operations/baselines/list-baselines.ts')
  const found = await listSaved(host)
  if (json) terminal.out(terminalSafeJson(`${JSON.stringify(found.map(listedData))}\n`))
  else if (found.length === 0) terminal.out('No baselines. Save one with: assay baseline save\n')
  else terminal.out(listText(found))
  return found.some(({ problem }) => problem) ? EXIT.userError : EXIT.ok
}

function listedData({ name, baseline, commit, is_uncommitted }: ListedBaseline) {
  return {
    name,
    is_valid: baseline !== undefined,
    ...(baseline ? countsOf(baseline.tests) : {}),
    commit,
    is_uncommitted,
  }
}

function countsOf(tests: readonly BaselineTest[]) {
  const count = (wanted: string) => tests.filter(({ verdict }) => verdict === wanted).length
  return {
    results: tests.length,
    pass: count('pass'),
    borderline: count('borderline'),
    fail: count('fail'),
    error: count('error'),
  }
}

function listText(found: readonly ListedBaseline[]): string {
  const rows = found.map(({ name, baseline, commit, is_uncommitted }) => {
    const { results, pass, borderline, fail, error } = countsOf(baseline?.tests ?? [])
    const state = `${commit ?? 'not committed'}${commit !== undefined && is_uncommitted ? ', changed since' : ''}`
    const counts = baseline ? [results, pass, borderline, fail, error].map(String) : ['invalid', '', '', '', '']
    return [printableLine(name), state, ...counts]
  })
  return renderTable([['baseline', 'commit', 'results', 'pass', 'borderline', 'fail', 'error'], ...rows], 2)
}

async function show(named = 'main', { json }: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { listSaved } = await import('../../operations/baselines/list-baselines.ts')
  const { requireName } = await import('../../operations/baselines/save-baseline.ts')
  requireName(named)
  const found = (await listSaved(host)).find(({ name }) => name === named)
  if (!found)
    throw new UserError(`There is no baseline ${named}.`, 'Save the last run as one with `assay baseline save`.')
  const { baseline, problem, path, commit, is_uncommitted } = found
  if (!baseline) {
    const loaded = { diagnostics: problem?.diagnostics ?? [], suites: [], files: 1 }
    terminal.err(diagnosticsText(loaded, terminal.path, terminal.palette('stderr')))
    return EXIT.userError
  }
  if (json) terminal.out(terminalSafeJson(`${JSON.stringify({ name: named, commit, is_uncommitted, ...baseline })}\n`))
  else {
    const state = commit === undefined ? 'not committed' : `commit ${commit}${is_uncommitted ? ', changed since' : ''}`
    terminal.out(`${printableLine(terminal.path(path))} (${state})\n\n${shownText(baseline)}`)
  }
  return EXIT.ok
}

/** A row for each suite on a target, then the tests that did not pass. */
function shownText({ tests }: Baseline): string {
  const groups = [...groupBy(tests, ({ suite, target }) => JSON.stringify([suite, target])).values()]
  const rows = groups.map(group => {
    const { results, pass, borderline, fail, error } = countsOf(group)
    return [
      printableLine(group[0].suite),
      printableLine(group[0].target),
      ...[results, pass, borderline, fail, error].map(String),
    ]
  })
  const table = renderTable([['suite', 'target', 'tests', 'pass', 'borderline', 'fail', 'error'], ...rows], 2)
  const others = tests.filter(({ verdict }) => verdict !== 'pass').map(testText)
  return others.length === 0 ? table : `${table}\n${others.join('')}`
}

function testText({ verdict, test_id, target, passed, attempts, score, file }: BaselineTest): string {
  const trials = attempts > 1 ? `, ${passed} of ${attempts} passed` : ''
  return `${printableLine(`${verdict} ${test_id} on ${target} score ${score ?? '–'}${trials} ${file}`)}\n`
}

async function remove(names: readonly string[], { host, terminal }: CommandContext): Promise<ExitCode> {
  const { removeBaselines } = await import('../../operations/baselines/list-baselines.ts')
  for (const path of await removeBaselines(names, host)) terminal.out(`removed ${printableLine(terminal.path(path))}\n`)
  return EXIT.ok
}
