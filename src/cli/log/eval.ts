import { mapConcurrent } from '../../lib/map-concurrent.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { type Log, LogError } from '../../log/log.ts'
import { loggedRunFrom } from '../../log/logged-run.ts'
import type { Result } from '../../model/result.ts'
import { NotRun } from '../../run/ask.ts'
import { BUG_TEXT } from '../bug-text.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { watchSignals } from '../signals.ts'
import { paletteFor, shownPath, terminal } from '../terminal/terminal.ts'
import { type Asker, type AskingOptions, findAsker } from './asking.ts'
import { type EvaluatedLog, evaluatedJson, evaluatedText, progressLine } from './evaluated-log.ts'
import { findLogs, type LogOptions, type OpenLogs, withFoundLogs } from './open-logs.ts'

interface LogEvalOptions extends LogOptions, AskingOptions {
  readonly workers?: number
  readonly quiet?: boolean
}

/** `assay log eval`: every log that expects something is run again and judged by that. */
export function logEval(names: readonly string[], options: LogEvalOptions): Promise<ExitCode> {
  return withFoundLogs(options, async logs => {
    const { folder, host } = logs
    const { logs: found, broken } = await findLogs(names, folder)
    const expecting = found.filter(({ turns }) => turns.some(({ expected }) => expected !== ''))
    if (expecting.length === 0) {
      const place = printableLine(shownPath(folder.path))
      terminal.err(`Nothing is expected in ${place}: \`assay log expect NAME\` says what an answer should be.\n`)
      return broken > 0 ? EXIT.mistakes : EXIT.nothing
    }
    const abort = host.clock.createAbortController()
    const asker = await findAsker({ ...options, isJudged: true }, abort, host)
    if (!asker) return EXIT.mistakes
    const signals = watchSignals(() => {
      terminal.err('Stopping: what is finished is logged.\n')
      abort.abort(new NotRun('stopped'))
    })
    const evaluated = await evaluateAll(expecting, asker, options, logs)
    signals.stop()
    terminal.out(options.json ? evaluatedJson(evaluated) : evaluatedText(evaluated, paletteFor(process.stdout)))
    const code = exitCode(evaluated)
    if (code === EXIT.bug) terminal.err(BUG_TEXT)
    return signals.code ?? (broken > 0 && code <= EXIT.failed ? EXIT.mistakes : code)
  })
}

/** In the order of the logs, however they come. */
async function evaluateAll(
  found: readonly Log[],
  asker: Asker,
  options: LogEvalOptions,
  logs: OpenLogs,
): Promise<EvaluatedLog[]> {
  const limit = asker.workers(options.workers)
  const done = new Map<Log, EvaluatedLog>()
  const work = async (log: Log, emit: (evaluated: EvaluatedLog) => void) => {
    const evaluated = await evaluateLog(log, asker, logs)
    if (!evaluated) return
    done.set(log, evaluated)
    emit(evaluated)
  }
  const palette = paletteFor(process.stderr)
  let count = 0
  for await (const evaluated of mapConcurrent({ lanes: [{ items: found, limit }], limit, work })) {
    count++
    if (!options.quiet && !options.json) terminal.err(progressLine(evaluated, count, found.length, palette))
  }
  return found.flatMap(log => done.get(log) ?? [])
}

/** Runs a log again. Only a run that was made whole is written; undefined where it was stopped. */
async function evaluateLog(log: Log, asker: Asker, { folder, host }: OpenLogs): Promise<EvaluatedLog | undefined> {
  const file = await folder.readRun(log.name, log.runs).catch(() => undefined)
  const turns = log.turns.map(({ input, expected }) => ({ input, expected: expected === '' ? undefined : expected }))
  const results: Result[] = []
  try {
    const talk = asker.talk({ id: log.name, system_prompt: file?.system_prompt ?? '', turns })
    for await (const result of talk) results.push(result)
  } catch (error) {
    if (!(error instanceof NotRun)) throw error
    return undefined
  }
  const last = results.at(-1)
  if (!last || last.answer === null) return { log, results, run: undefined }
  const run = loggedRunFrom([...results.slice(0, -1), last], {
    host,
    cwd: host.cwd,
    ended: host.clock.timestamp(),
    targets: [...asker.facts],
  })
  const written = await folder.addTo(log.name, run).catch(error => {
    if (!(error instanceof LogError)) throw error
    terminal.err(`${printableLine(error.message)}\n`)
    return undefined
  })
  return { log, results, run: written?.run }
}

/** Errors outrank failures. */
function exitCode(evaluated: readonly EvaluatedLog[]): ExitCode {
  const results = evaluated.flatMap(({ results }) => results)
  const errors = results.flatMap(({ error, evaluator_results }) => [
    error,
    ...evaluator_results.map(({ error }) => error),
  ])
  if (errors.some(error => error?.code === 'bug')) return EXIT.bug
  const isUnwritten = evaluated.some(({ run }) => run === undefined)
  if (isUnwritten || errors.some(error => error !== undefined)) return EXIT.incomplete
  const failed = results.some(({ verdict, evaluator_results }) => evaluator_results.length > 0 && verdict !== 'pass')
  return failed ? EXIT.failed : EXIT.ok
}
