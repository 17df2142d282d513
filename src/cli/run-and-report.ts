import type { FinishedRun, Prepared, RunOptions, Selection } from '../evaluate.ts'
import { run } from '../evaluate.ts'
import { seconds } from '../lib/figures.ts'
import { onOneLine, safeJson } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../plan/attempt.ts'
import type { RunPlace } from '../record/run-place.ts'
import { BUG_TEXT } from './bug-text.ts'
import { conclude } from './conclusion.ts'
import type { EvalOptions } from './eval-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { type RunLog, runLog } from './log/run-log.ts'
import { commandToExplain, commandToGoOn } from './next-command.ts'
import { watchSignals } from './signals.ts'
import { liveProgress } from './terminal/live-progress.ts'
import { plainProgress } from './terminal/plain-progress.ts'
import { type Progress, silent } from './terminal/progress.ts'
import { isLive, paletteFor, shownPath, terminal } from './terminal/terminal.ts'
import { verboseText } from './terminal/verbose.ts'
import { version } from './version.ts'
import { writeOutputs } from './write-outputs.ts'

/** What is ready to be run. */
export interface Ready extends Prepared {
  readonly plan: Plan
}

/** Runs a plan, shows how it goes, and says how it ended. */
export async function runAndReport(
  prepared: Ready,
  selection: Selection,
  options: EvalOptions,
  place: RunPlace & Pick<RunOptions, 'begun' | 'source' | 'workers' | 'timeout_seconds'>,
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
  if (problem) terminal.err(`Cannot write the records: ${onOneLine(problem.message)}\n`)
  await writeOutputs(options.output, folder, host)
  const id = folder.info.run_id
  if (!options.quiet) terminal.err(`${took}, recorded in ${onOneLine(shownPath(folder.path))}\n`)
  if (outcome.not_run > 0) terminal.err(`Go on with: ${onOneLine(commandToGoOn(folder.info, options))}\n`)
  else if (outcome.notable[0] && !options.quiet)
    terminal.err(`Look closer: ${onOneLine(commandToExplain(id, outcome.notable[0].test_id, options))}\n`)
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
