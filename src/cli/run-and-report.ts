import { type FinishedRun, type RunOptions, run, type Selection } from '../evaluate.ts'
import { printableLine } from '../lib/text/escape.ts'
import { formatDuration } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import { type ProjectFolders, trustedRunsFolder } from '../record/project-folders.ts'
import { recordedPath } from '../record/recorded-path.ts'
import { RunError } from '../record/run-error.ts'
import type { PlanRunner } from '../run/run-plan.ts'
import { BUG_TEXT } from './bug-text.ts'
import { conclude } from './conclusion.ts'
import type { EvalOptions } from './eval-options.ts'
import { EXIT, type ExitCode, withMistake } from './exit-codes.ts'
import { logsPath } from './log/open-logs.ts'
import type { RunLog } from './log/run-log.ts'
import { commandToExplain, commandToGoOn, type RunName } from './next-command.ts'
import { Onlooker, type Ready } from './onlooker.ts'
import { sayCannotDo } from './or-mistake.ts'
import { type SignalWatch, watchSignals } from './signals.ts'
import { shownPath, terminal } from './terminal/terminal.ts'
import { version } from './version.ts'
import { writeOutputs } from './write-outputs.ts'

/** Where a run is kept, and how it goes on. */
type Place = ProjectFolders &
  Pick<RunOptions, 'begun' | 'source' | 'workers' | 'timeout_seconds'> & {
    /** How a run is named that was begun before, or is judged again. */
    readonly name?: RunName | undefined
    /** Who makes the records, where it is not this machine; it may have something to say. */
    readonly makers?: ((say: (text: string) => void) => PlanRunner) | undefined
  }

/** Runs a plan, shows how it goes, and says how it ended. */
export async function runAndReport(
  prepared: Ready,
  selection: Selection,
  options: EvalOptions,
  place: Place,
  host: Host,
): Promise<ExitCode> {
  const started = host.clock.elapsed()
  const onlooker = new Onlooker(prepared, options, host)
  const signals = watchSignals(() =>
    onlooker.progress.say('Stopping: what runs is ended, what is finished is kept. Again to stop at once.'),
  )
  const { failOn: fail_on, minPassRate: min_pass_rate, allowFlaky: allow_flaky, logDir } = options
  const log_dir = options.log ? recordedPath(logsPath(logDir, host), place.root) : undefined
  const { triggerThreshold: trigger_threshold } = options
  const { timeout_seconds } = place
  try {
    const finished = await run(
      prepared,
      selection,
      {
        ...place,
        records: place.makers?.(text => onlooker.progress.say(printableLine(text))),
        version,
        max_cost_usd: options.maxCost,
        fail_fast: options.failFast,
        cache: options.cache,
        recorded_options: { fail_on, min_pass_rate, allow_flaky, trigger_threshold, log_dir, timeout_seconds },
        signal: signals.signal,
        onStart: opened => onlooker.start(opened),
        onEvent: event => onlooker.progress.event(event),
        onResult: (result, line) => onlooker.result(result, line),
      },
      host,
    ).finally(() => onlooker.progress.end())
    const took = formatDuration(host.clock.elapsed() - started)
    const conclusion = () => finish(finished, { options, place }, signals.code, took, host)
    return await withLog(finished, onlooker.log, signals, conclusion)
  } finally {
    signals.stop()
  }
}

/** Whatever cannot be said of a run, its log is finished. */
async function withLog(
  finished: FinishedRun,
  log: RunLog | undefined,
  signals: SignalWatch,
  finish: () => Promise<ExitCode>,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.mistakes
  try {
    code = await finish()
  } catch (error) {
    throw error instanceof RunError ? stillRecorded(error, finished) : error
  } finally {
    code = (await log?.finish(code, signals)) ?? code
  }
  return code
}

async function finish(
  { folder, stopped, problem, uncounted }: FinishedRun,
  { options, place }: { readonly options: EvalOptions; readonly place: Place },
  signalled: ExitCode | undefined,
  took: string,
  host: Host,
): Promise<ExitCode> {
  const { text, code, outcome } = conclude(folder, {
    ...options,
    fail_on: options.failOn,
    min_pass_rate: options.minPassRate,
    allow_flaky: options.allowFlaky,
    stoppedEarly: stopped === 'fail-fast',
  })
  terminal.err(text)
  if (uncounted > 0)
    terminal.err(`The budget could not count ${uncounted} answers: the target reported no cost and has no price.\n`)
  if (stopped === 'budget') terminal.err('The budget is spent.\n')
  if (outcome.has_bug) terminal.err(BUG_TEXT)
  if (problem) terminal.err(`Cannot write the records: ${printableLine(problem.message)}\n`)
  const isWritten = await writeOutputs(options.output, folder, host).then(() => true, sayUnwritten)
  const id = folder.info.run_id
  if (!options.quiet) terminal.err(`${took}, recorded in ${printableLine(shownPath(folder.path))}\n`)
  if (outcome.not_run > 0)
    terminal.err(`Resume with: ${printableLine(commandToGoOn(folder.info, options, nameOf(id, place)))}\n`)
  else if (outcome.notable[0] && !options.quiet)
    terminal.err(`Details: ${printableLine(commandToExplain(id, outcome.notable[0].test_id, options))}\n`)
  if (signalled !== undefined) return signalled
  const whole = problem && code !== EXIT.bug ? EXIT.incomplete : code
  return isWritten ? whole : withMistake(whole)
}

function nameOf(run: string, place: Place): RunName {
  return place.name ?? { run, is_foreign: place.runs_folder !== trustedRunsFolder(place) }
}

/** What cannot be summed up now can be later. */
function stillRecorded({ message }: RunError, { folder }: FinishedRun): RunError {
  const command = `assay report ${folder.info.run_id} --format text`
  return new RunError(message, `What is recorded stays, in ${shownPath(folder.path)}: \`${command}\` shows it.`)
}

/** A report that cannot be written does not keep back what else there is to say. */
function sayUnwritten(error: unknown): false {
  sayCannotDo(error)
  return false
}
