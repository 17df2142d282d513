import { type FinishedRun, type Prepared, prepare, type RunOptions, run, type Selection } from '../evaluate.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printable, safeJson } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import { loadConfig } from '../parse/load-config.ts'
import type { Plan } from '../plan/attempt.ts'
import { providers } from '../providers/index.ts'
import { findRun, NoRun } from '../record/find-run.ts'
import type { Begun } from '../record/open-run.ts'
import { readRunInfo } from '../record/run-folder.ts'
import { type RunPlace, runPlace } from '../record/run-place.ts'
import { askingForRuns } from './asking-for-runs.ts'
import { BUG_TEXT } from './bug-text.ts'
import { conclude } from './conclusion.ts'
import { type EvalOptions, selectionOf, withGateOf } from './eval-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { type RunLog, runLog } from './log/run-log.ts'
import { commandToExplain, commandToResume } from './next-command.ts'
import { planText } from './plan-text.ts'
import { hasMistakes } from './read-config.ts'
import { watchSignals } from './signals.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { seconds } from './terminal/figures.ts'
import { liveProgress } from './terminal/live-progress.ts'
import { exitCodeWith } from './terminal/missed.ts'
import { plainProgress } from './terminal/plain-progress.ts'
import { type Progress, silent } from './terminal/progress.ts'
import { isLive, paletteFor, shownPath, terminal } from './terminal/terminal.ts'
import { verboseText } from './terminal/verbose.ts'
import { version } from './version.ts'
import { checkOutputs, writeOutputs } from './write-outputs.ts'

/** `assay eval`: a suite in, verdicts out. */
export function evalCommand(paths: readonly string[], given: EvalOptions): Promise<ExitCode> {
  return askingForRuns(async () => {
    const host = nodeHost()
    const place = await runPlace(given.runsDir, host)
    await checkOutputs(given.output, host)
    const loadedConfig = await loadConfig(place.settings_folder, host)
    if (hasMistakes(loadedConfig)) return EXIT.mistakes
    const { config, at } = loadedConfig
    const begun = await begunRun(given, place, host)
    const selection = selectionOf(paths, given, begun?.info, loadedConfig)
    const options = { log: config.log, ...withGateOf(given, begun?.info) }
    const prepared = await prepare(selection, { host, evaluators, providers, config: begun ? undefined : at })
    terminal.redact = prepared.redactor.text
    const { plan, found, loaded, diagnostics } = prepared
    if (diagnostics.length > 0) terminal.err(diagnosticsText({ ...loaded, diagnostics }, paletteFor(process.stderr)))
    if (!plan) return exitCodeWith(found, host, EXIT.mistakes)
    if (plan.total === 0) return reportNothing(prepared, host)
    if (options.plan) {
      terminal.out(planText(plan, options.json))
      return exitCodeWith(found, host, EXIT.ok)
    }
    const { timeout_seconds } = config
    const pace = { workers: given.workers ?? config.workers, timeout_seconds }
    const code = await runAndReport({ ...prepared, plan }, selection, options, { ...place, ...pace, begun }, host)
    return exitCodeWith(found, host, code)
  })
}

/** The run to go on with. Without an earlier one, a resume begins a new one and says so. */
async function begunRun(options: EvalOptions, place: RunPlace, host: Host): Promise<Begun | undefined> {
  const wanted = options.rerunFailed ?? options.resume
  if (wanted === undefined) return undefined
  const found = await findRun(wanted, place.runs_folder, host).catch(error => {
    if (wanted !== 'latest' || !(error instanceof NoRun)) throw error
    terminal.err('There is no earlier run: this is a new one.\n')
    return undefined
  })
  if (!found) return undefined
  const info = await readRunInfo(found.folder, host)
  if (!info) throw new NoRun(`${found.folder} has no run.json, so it cannot be resumed.`)
  return { folder: found.folder, info, rerun_failed: options.rerunFailed !== undefined }
}

function reportNothing({ loaded, found }: Prepared, host: Host): ExitCode {
  const tests = loaded.suites.reduce((sum, suite) => sum + suite.tests.length, 0)
  if (tests > 0)
    terminal.err(`Nothing selected: none of ${tests} tests has such an id and tag. \`assay list\` shows them.\n`)
  return exitCodeWith(found, host, EXIT.nothing)
}

interface Ready extends Prepared {
  readonly plan: Plan
}

async function runAndReport(
  prepared: Ready,
  selection: Selection,
  options: EvalOptions,
  place: RunPlace & Pick<RunOptions, 'begun' | 'workers' | 'timeout_seconds'>,
  host: Host,
): Promise<ExitCode> {
  const started = host.elapsed()
  let progress: Progress = silent(paletteFor(process.stderr), terminal.err)
  const signals = watchSignals(() =>
    progress.say('Stopping: what runs is ended, what is finished is kept. Again to stop at once.'),
  )
  let log: RunLog | undefined
  const finished = await run(
    prepared,
    selection,
    {
      ...place,
      version,
      max_cost_usd: options.maxCost,
      fail_fast: options.failFast,
      cache: options.cache,
      recorded_options: {
        fail_on: options.failOn,
        min_pass_rate: options.minPassRate,
        timeout_seconds: place.timeout_seconds,
      },
      signal: signals.signal,
      onStart: folder => {
        progress = progressFor(prepared.plan.attempts.length - folder.index.size, options)
        log = runLog(folder, prepared, options, host)
        if (place.begun) progress.say(resumeText(folder.index.size, prepared.plan.attempts.length, folder.damaged))
        if (options.json) for (const result of folder.results()) terminal.out(safeJson(`${JSON.stringify(result)}\n`))
      },
      onEvent: event => progress.event(event),
      onResult: (result, line) => {
        progress.result(result)
        log?.add(result.attempt_id)
        if (options.verbose) progress.say(verboseText(result))
        if (options.json) terminal.out(safeJson(`${line}\n`))
      },
    },
    host,
  )
  progress.end()
  const took = seconds(host.elapsed() - started)
  const code = await finish(finished, options, signals.code, took, host)
  const codeWithLog = await log?.finish(code)
  signals.stop()
  return codeWithLog ?? code
}

async function finish(
  { folder, stopped, problem, uncounted }: FinishedRun,
  options: EvalOptions,
  signalled: ExitCode | undefined,
  took: string,
  host: Host,
): Promise<ExitCode> {
  const { text, code, outcome } = conclude(folder, {
    ...options,
    fail_on: options.failOn,
    min_pass_rate: options.minPassRate,
    stoppedEarly: stopped === 'fail-fast',
  })
  terminal.err(text)
  if (uncounted > 0)
    terminal.err(`The budget could not count ${uncounted} answers: the target reported no cost and has no price.\n`)
  if (stopped === 'budget') terminal.err('The budget is spent.\n')
  if (outcome.has_bug) terminal.err(BUG_TEXT)
  if (problem) terminal.err(`Cannot write the records: ${printable(problem.message)}\n`)
  await writeOutputs(options.output, folder, host)
  const id = folder.info.run_id
  if (!options.quiet) terminal.err(`${took}, recorded in ${printable(shownPath(folder.path))}\n`)
  if (outcome.not_run > 0) terminal.err(`Go on with: ${printable(commandToResume(id, options))}\n`)
  else if (outcome.notable[0] && !options.quiet)
    terminal.err(`Look closer: ${printable(commandToExplain(id, outcome.notable[0].test_id, options))}\n`)
  return problem && code !== EXIT.bug ? (signalled ?? EXIT.incomplete) : (signalled ?? code)
}

function progressFor(total: number, { quiet, json }: EvalOptions): Progress {
  const palette = paletteFor(process.stderr)
  if (quiet || json) return silent(palette, terminal.err)
  return isLive(process.stderr)
    ? liveProgress(total, palette, { write: terminal.err, columns: () => process.stderr.columns })
    : plainProgress(total, palette, terminal.err)
}

function resumeText(recorded: number, planned: number, damaged: number): string {
  const lost = damaged > 0 ? `; ${damaged} damaged lines are made again` : ''
  return `Going on: ${recorded} of ${planned} attempts are recorded already${lost}.`
}
