import { prepare } from '../evaluate.ts'
import { nestedChecks } from '../evaluators/check.ts'
import type { Check } from '../evaluators/evaluator.ts'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import type { Prompt } from '../model/prompt.ts'
import type { Recording } from '../model/recordings.ts'
import type { RunInfo } from '../model/run-info.ts'
import { testCount } from '../model/test-count.ts'
import { providers } from '../providers/index.ts'
import { findRun, NoRun } from '../record/find-run.ts'
import { readAnswers } from '../record/read-recordings.ts'
import { readRunInfo } from '../record/run-folder.ts'
import { runPlace } from '../record/run-place.ts'
import { askingForRuns } from './asking-for-runs.ts'
import { type EvalOptions, selectionOf, withGateOf } from './eval-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { hasMistakes, nearestConfig } from './read-config.ts'
import { RecordedAnswers } from './recorded-answers.ts'
import { recordedTargets } from './recorded-targets.ts'
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
  return askingForRuns(async () => {
    const place = await runPlace(given.runsDir, host)
    await checkOutputs(given.output, host)
    const found = await findRun(run, place.runs_folder, host)
    const info = await readRunInfo(found.folder, host)
    if (!info) throw new NoRun(`${found.folder} has no run.json, so nobody knows which suite it was.`)
    const answers = await readAnswers(found, host)
    if (answers.length === 0) return nothingToJudge('The run has no answers to judge.')
    const loadedConfig = await nearestConfig(host)
    if (hasMistakes(loadedConfig)) return EXIT.mistakes
    const selection = {
      ...selectionOf(given.suite ?? [], given, info, loadedConfig),
      targets: targetsOf(info, answers),
      trials: answers.reduce((most, { trial }) => Math.max(most, trial), 1),
      shard: undefined,
    }
    const used = new Map<string, Recording>()
    const looking = new Set<string>()
    const recorded = {
      answerTo: ({ attempt_id }: Prompt) => used.get(attempt_id)?.answer,
      looksAround: ({ attempt_id }: Prompt) => looking.has(attempt_id),
    }
    const standIn = recordedTargets(info, recorded, host)
    const prepared = await prepare(selection, { host, evaluators, providers, standIn })
    terminal.redact = prepared.redactor.text
    const { plan, loaded, diagnostics } = prepared
    if (diagnostics.length > 0) terminal.err(diagnosticsText({ ...loaded, diagnostics }, paletteFor(process.stderr)))
    if (!plan) return exitCodeWith(prepared.found, host, EXIT.mistakes)
    const known = new RecordedAnswers(answers, info, given.suite !== undefined)
    const attempts = plan.attempts.filter(attempt => {
      const recording = known.to(attempt)
      if (recording) used.set(attempt.id, recording)
      return recording
    })
    if (attempts.length === 0) return nothingToJudge(NONE_MATCH)
    for (const { id, test } of attempts) if (test.checks.some(looksAround)) looking.add(id)
    sayWhatIsLeft(answers, new Set(used.values()))
    const answered = { ...plan, attempts, total: attempts.length, total_tests: testCount(attempts) }
    const options = withGateOf(given, info)
    const source = info.run_id
    return runAndReport(
      { ...prepared, plan: answered },
      selection,
      options,
      { ...place, source, workers: given.workers },
      host,
    )
  })
}

const NONE_MATCH = 'No answer of the run is to a test as it is asked now.'

function nothingToJudge(why: string): ExitCode {
  terminal.err(`${why}\n`)
  return EXIT.nothing
}

function looksAround(check: Check): boolean {
  return check.evaluator.judge?.(check.config).looks === true || nestedChecks(check).some(looksAround)
}

/** The names of those that have answered, in the order of the run. */
function targetsOf({ targets }: RunInfo, answers: readonly Recording[]): string[] {
  const named = new Set(answers.map(({ target }) => target))
  const inOrder = targets.map(({ name }) => String(name)).filter(name => named.has(name))
  return [...new Set([...inOrder, ...named])]
}

/** Answers to tests that are gone, or that ask something else now, are not judged. */
function sayWhatIsLeft(answers: readonly Recording[], used: ReadonlySet<Recording>): void {
  const left = answers.filter(answer => !used.has(answer))
  if (left.length === 0) return
  const ids = [...new Set(left.map(({ test_id }) => test_id))]
  const named = ids.slice(0, 5).map(onOneLine).join(', ')
  const more = ids.length > 5 ? ' and others' : ''
  terminal.err(
    `${plural(left.length, 'answer')} left out, since the test is gone or asks something else now: ${named}${more}\n`,
  )
}
