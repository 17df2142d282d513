import { prepare } from '../evaluate.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printableLine } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import { countTests } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import { isAnswered } from '../model/recordings.ts'
import { type RunInfo, unlistedAttempts } from '../model/run-info.ts'
import { providers } from '../providers/index.ts'
import { findRun, type RunFiles } from '../record/find-run.ts'
import { findProjectFolders, type ProjectFolders } from '../record/project-folders.ts'
import { readAttempts } from '../record/recordings.ts'
import { RunError } from '../record/run-error.ts'
import { readRunInfo } from '../record/run-folder.ts'
import { AnswersInUse } from './answers-in-use.ts'
import { type EvalOptions, selectionOf, withGateOf } from './eval-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { orMistake } from './or-mistake.ts'
import { hasMistakes, nearestConfig } from './read-config.ts'
import { type Recorded, RecordedAnswers } from './recorded-answers.ts'
import { recordedTargets } from './recorded-targets.ts'
import { requireNamed } from './require-named.ts'
import { runAndReport } from './run-and-report.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { exitCodeWith } from './terminal/missed.ts'
import { paletteFor, terminal } from './terminal/terminal.ts'
import { checkOutputs } from './write-outputs.ts'

interface GradeOptions extends EvalOptions {
  readonly suite?: readonly string[]
}

/** `assay grade`: judges the recorded answers of a run again, by the suite as it is now. No target is asked. */
export function gradeCommand(run: string, given: GradeOptions, host: Host = nodeHost()): Promise<ExitCode> {
  return orMistake(async () => {
    const place = await findProjectFolders(given.runsDir, host)
    await checkOutputs(given.output, host)
    const { found, info, recorded, not_made } = await recordedRun(run, place, host)
    const named = { suites: given.suite ?? [], targets_file: given.targets, suite_words: '--suite FILE' }
    const name = await requireNamed(run, { found, info, named }, place, host)
    if (!recorded.some(isAnswered)) return nothingToJudge('The run has no answers to judge.')
    const loadedConfig = await nearestConfig(host)
    if (hasMistakes(loadedConfig)) return EXIT.mistakes
    const before = selectionOf(given.suite ?? [], given, info, loadedConfig)
    const selection = { ...before, ...targetsAndTrials(info, recorded), shard: undefined }
    const inUse = new AnswersInUse()
    const standIn = recordedTargets(info, inUse, host)
    const prepared = await prepare(selection, { host, evaluators, providers, standIn })
    terminal.redact = prepared.redactor.text
    const { plan, loaded, diagnostics } = prepared
    if (diagnostics.length > 0) terminal.err(diagnosticsText({ ...loaded, diagnostics }, paletteFor(process.stderr)))
    if (!plan) return exitCodeWith(prepared.found, host, EXIT.mistakes)
    const known = new RecordedAnswers(recorded, info, plan.attempts, given.suite !== undefined)
    const attempts = inUse.takenBy(plan.attempts, known)
    if (!inUse.hasAnswers) return nothingToJudge(NONE_MATCH)
    sayWhatIsLeft(inUse.leftOf(recorded))
    const selected_tests = new Set(attempts.map(({ test }) => test)).size
    const counts = { total: attempts.length + not_made, total_tests: countTests(attempts), selected_tests }
    const graded = { ...plan, attempts, planned: attempts.length, ...counts }
    const how = { ...place, name, source: info.run_id, workers: given.workers }
    return runAndReport({ ...prepared, plan: graded }, selection, withGateOf(given, info), how, host)
  })
}

interface RecordedRun {
  readonly found: RunFiles
  readonly info: RunInfo
  readonly recorded: readonly Recorded[]
  /** How many planned attempts have neither a result nor an answer. */
  readonly not_made: number
}

async function recordedRun(run: string, { runs_folder }: ProjectFolders, host: Host): Promise<RecordedRun> {
  const found = await findRun(run, runs_folder, host)
  const info = await readRunInfo(found.folder, host)
  if (!info) throw new RunError(`${found.folder} has no run.json, so its suite is unknown.`)
  const recorded = await readAttempts(found, host)
  const not_made = Math.max(0, info.attempts.length + unlistedAttempts(info) - recorded.length)
  return { found, info, recorded, not_made }
}

const NONE_MATCH = 'No answer of the run is to a test as it is asked now.'

function nothingToJudge(why: string): ExitCode {
  terminal.err(`${why}\n`)
  return EXIT.nothing
}

/** The targets that were asked, in the order of the run, and how often. */
function targetsAndTrials({ targets }: RunInfo, recorded: readonly Recorded[]) {
  const named = new Set(recorded.map(({ target }) => target))
  const inOrder = targets.map(({ name }) => String(name)).filter(name => named.has(name))
  return {
    targets: [...new Set([...inOrder, ...named])],
    trials: recorded.reduce((most, { trial }) => Math.max(most, trial), 1),
  }
}

/** Records of tests that are gone, or that ask something else now, are not taken over. */
function sayWhatIsLeft(left: readonly Recorded[]): void {
  if (left.length === 0) return
  const ids = [...new Set(left.map(({ test_id }) => test_id))]
  const named = ids.slice(0, 5).map(printableLine).join(', ')
  const more = ids.length > 5 ? ' and others' : ''
  const what = left.every(isAnswered) ? 'answer' : 'attempt'
  terminal.err(
    `${plural(left.length, what)} left out, since the test is gone or asks something else now: ${named}${more}\n`,
  )
}
