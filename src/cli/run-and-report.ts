import { printable, printableLine } from '../lib/text/escape.ts'
import { formatDuration, plural } from '../lib/text/format.ts'
import { UserError } from '../model/user-error.ts'
import type { FinishedLog } from '../operations/logs/run-log.ts'
import type { SpanExport } from '../operations/otel/span-export.ts'
import { projectCalibrations } from '../operations/project-calibrations.ts'
import { type FinishedRun, type RunOptions, recordRun } from '../operations/run/record-run.ts'
import { isForeign, type RunName } from '../operations/run/resolve-run.ts'
import { observers } from '../operations/run/run-observer.ts'
import type { ComparedRun } from '../report/compare/compared-run.ts'
import type { Outcome } from '../report/outcome/run-outcome.ts'
import { provenanceText } from '../report/provenance.ts'
import type { CommandContext } from './command-context.ts'
import { type Conclusion, conclude } from './conclusion.ts'
import { BUG_TEXT } from './crash.ts'
import { EXIT, type ExitCode, withUserError } from './exit-codes.ts'
import { commandToExplain, commandToResume, type GivenOptions } from './next-command.ts'
import { type SignalWatch, watchSignals } from './signals.ts'
import { exportText } from './terminal/export-text.ts'
import type { TerminalObserver } from './terminal/terminal-observer.ts'
import { writeOutputs } from './write-outputs.ts'

type Ready = Parameters<typeof recordRun>[0]

/** How a run is shown. */
export interface ShownRun {
  readonly observer: TerminalObserver
  /** What sends the run to a collector. */
  readonly spans?: SpanExport | undefined
  /** The options as they were given. */
  readonly given: GivenOptions
  readonly quiet?: boolean | undefined
  /** What the summary and the reports are sliced by. */
  readonly by?: string | undefined
  /** Saved results that the run is compared with. */
  readonly reference?: ComparedRun | undefined
  /** How the run is named that is resumed, or graded again. */
  readonly name?: RunName | undefined
  /** Whether another run replaces this one, so that its part of the results is not reported. */
  readonly isSuperseded?: (() => boolean) | undefined
}

/** Runs a plan, shows its progress, and reports how it ended. */
export async function runAndReport(
  ready: Ready,
  options: RunOptions,
  shown: ShownRun,
  context: CommandContext,
): Promise<ExitCode> {
  const { host } = context
  const { observer } = shown
  const started = host.clock.elapsed()
  const signals = watchSignals(
    host,
    () => observer.onMessage('Stopping: finished attempts are kept. Press Ctrl-C again to stop at once.'),
    undefined,
    () => observer.end(),
  )
  try {
    const signal = options.signal ? AbortSignal.any([options.signal, signals.signal]) : signals.signal
    const watching = shown.spans ? observers(observer, shown.spans) : observer
    const running = recordRun(ready, { ...options, observer: watching, signal }, host)
    const finished = await running.finally(() => observer.end())
    const signalled = signals.code ?? (finished.is_stop_requested ? EXIT.interrupt : undefined)
    const ended = { ...finished, took: formatDuration(host.clock.elapsed() - started), signalled }
    return await reportWithLog(ended, options, shown, signals, context)
  } finally {
    signals.stop()
  }
}

interface EndedRun extends FinishedRun {
  readonly took: string
  /** The exit code of a signal that came, or of a request to stop. */
  readonly signalled: ExitCode | undefined
}

/** Reports the run, then its log and its spans, which are finished in any case. */
async function reportWithLog(
  ended: EndedRun,
  options: RunOptions,
  shown: ShownRun,
  signals: SignalWatch,
  context: CommandContext,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.userError
  try {
    code = await reportRun(ended, options, shown, context)
  } catch (error) {
    throw error instanceof UserError ? stillRecorded(error, ended, context) : error
  } finally {
    const [log, spans] = await Promise.all([ended.log?.finish(signals.signal), shown.spans?.finish(signals.signal)])
    if (spans) context.terminal.err(exportText(spans, shown))
    if (log) code = reportLog(log, code, signals.code, shown, context)
  }
  return code
}

/** Prints the outcome of a run, writes its reports, and names the next command. */
async function reportRun(
  ended: EndedRun,
  { request, folders }: RunOptions,
  shown: ShownRun,
  context: CommandContext,
): Promise<ExitCode> {
  const { host, terminal } = context
  const { folder, stopped, problem } = ended
  const { quiet, by, reference } = shown
  if (shown.isSuperseded?.() && ended.signalled === undefined) {
    terminal.err(`Stopped: files changed. ${folder.index.size} of ${plural(folder.planned, 'attempt')} recorded.\n`)
    return EXIT.incomplete
  }
  const stoppedEarly = stopped === 'fail-fast'
  const calibrations = await projectCalibrations(host)
  const conclusion = conclude(folder, { ...request, quiet, by, reference, stoppedEarly, calibrations }, terminal)
  terminal.err(conclusion.text)
  for (const line of problemLines(ended, conclusion.outcome)) terminal.err(line)
  const isWritten = await writeOutputs(shown.given.output, folder, context, {
    by,
    calibrations,
    against: reference && { ...request, reference },
  }).then(
    () => true,
    error => {
      context.reportUserError(error)
      return false
    },
  )
  if (!quiet) terminal.err(recordedText(ended, terminal.path(folder.path)))
  const name = shown.name ?? { run: folder.info.run_id, is_foreign: isForeign(folders) }
  terminal.err(nextText(ended, conclusion, { ...shown, name }, terminal.path))
  if (ended.signalled !== undefined) return ended.signalled
  const code = problem && conclusion.code !== EXIT.bug ? EXIT.incomplete : conclusion.code
  return isWritten ? code : withUserError(code)
}

/** Where a run is recorded, and where it comes from. */
function recordedText({ took, folder }: EndedRun, path: string): string {
  const origin = provenanceText(folder.info)
  return `${took}, recorded in ${printableLine(path)}\n${origin === undefined ? '' : `${printableLine(origin)}\n`}`
}

/** What the verdicts do not show: an exhausted budget, bugs, and records that could not be written. */
function problemLines({ uncounted, stopped, problem }: EndedRun, { has_bug }: Outcome): string[] {
  return [
    ...(uncounted > 0
      ? [`The budget could not count ${uncounted} answers: the target reported no cost and has no price.\n`]
      : []),
    ...(stopped === 'budget' ? ['The budget is spent.\n'] : []),
    ...(has_bug ? [BUG_TEXT] : []),
    ...(problem ? [`Cannot write the records: ${printableLine(problem.message)}\n`] : []),
  ]
}

/** The command that resumes a partial run, else the one that explains the first test that did not pass. */
function nextText(
  { folder }: EndedRun,
  { outcome }: Conclusion,
  { given, name, quiet }: ShownRun & { readonly name: RunName },
  path: (file: string) => string,
): string {
  const { info } = folder
  if (outcome.not_run > 0 && outcome.decisions.length === 0)
    return `Resume with: ${printableLine(commandToResume(info, given, name, path))}\n`
  const [notable] = outcome.notable
  if (!notable || quiet) return ''
  return `Details: ${printableLine(commandToExplain(info.run_id, notable.result.test_id, given.request))}\n`
}

/** Names the command that reports a run whose records cannot be read now. */
function stillRecorded({ message }: UserError, { folder }: FinishedRun, { terminal }: CommandContext): UserError {
  const command = `assay report ${folder.info.run_id} --format text`
  return new UserError(message, `What is recorded stays, in ${terminal.path(folder.path)}: \`${command}\` shows it.`)
}

/** Reports the log of a run, and returns the exit code with that. */
function reportLog(
  { path, run_id, count, left, problem }: FinishedLog,
  code: ExitCode,
  signalled: ExitCode | undefined,
  { quiet }: ShownRun,
  { terminal }: CommandContext,
): ExitCode {
  if (problem) {
    terminal.err(
      `Cannot log: ${printable(problem.message)}\nThe records of the run are complete: \`assay log import\` logs them later.\n`,
    )
    return withUserError(code)
  }
  if (!quiet) terminal.err(`${plural(count, 'attempt')} logged in ${printable(terminal.path(path))}\n`)
  if (left === 0) return code
  const command = `assay log import ${run_id}`
  terminal.err(`Interrupted: ${plural(left, 'attempt')} not logged. \`${printable(command)}\` logs the rest.\n`)
  return signalled ?? code
}
