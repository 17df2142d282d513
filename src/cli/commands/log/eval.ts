import type { Command } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import type { ConversationTarget } from '../../../operations/converse.ts'
import type { EvaluatedLog } from '../../../operations/logs/evaluate-logs.ts'
import type { FoundLogs, OpenLogs } from '../../../operations/logs/find-logs.ts'
import type { CommandContext } from '../../command-context.ts'
import { BUG_TEXT } from '../../crash.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, positiveNumber } from '../../options.ts'
import { watchSignals } from '../../signals.ts'
import { loadTarget } from './ask.ts'
import {
  type AskOptions,
  LOGS_ARGUMENT,
  type LogOptions,
  logReader,
  openFound,
  reportBroken,
  withAskOptions,
} from './subcommand.ts'

interface Options extends LogOptions, AskOptions {
  readonly judge?: string
  readonly workers?: number
  readonly quiet?: boolean
}

export function evalCommand(context: CommandContext): Command {
  return withAskOptions(logReader('eval', 'Run logs with expected answers again, and judge the new answers by them.'))
    .argument('[logs...]', LOGS_ARGUMENT)
    .option('--judge <name>', 'target that judges whether answers mean the same')
    .option('--workers <n>', 'maximum number of conversations at once', positiveNumber)
    .option('--json', 'print one JSON document')
    .option('-q, --quiet', 'print no progress')
    .addHelpText(
      'after',
      `${CODES_HELP}${example('assay log eval', 'assay log eval say_hello_to_alice --target gpt --judge claude')}`,
    )
    .action((names, options) => context.run(() => evaluateNamed(names, options, context)))
}

const CODES_HELP = `
Exit codes:
  0 all answers as expected, 1 an unexpected answer, 2 wrong usage or files,
  3 a run could not be made or judged, 5 no expected answers
`

async function evaluateNamed(names: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { findLogs } = await import('../../../operations/logs/find-logs.ts')
  const open = await openFound(options, context)
  const found = await findLogs(names, open)
  reportBroken(found, context)
  const hasBroken = found.broken.length > 0
  const logs = found.logs.filter(({ turns }) => turns.some(({ expected }) => expected !== ''))
  if (logs.length === 0) {
    const place = printableLine(terminal.path(open.folder.path))
    terminal.err(`No expected answers in ${place}: \`assay log expect NAME\` sets one.\n`)
    return hasBroken ? EXIT.userError : EXIT.nothing
  }
  const { target: name, judge, targets: targets_file } = options
  const target = await loadTarget({ target: name, judge, targets_file, is_judged: true }, context)
  if (!target) return EXIT.userError
  const signals = watchSignals(host, () => {
    terminal.err('Stopping: finished runs are logged.\n')
    target.stop()
  })
  const evaluated = await evaluateAll(logs, target, open, options, context)
  signals.stop()
  const code = exitCode(evaluated)
  if (code === EXIT.bug) terminal.err(BUG_TEXT)
  return signals.code ?? (hasBroken && code <= EXIT.failed ? EXIT.userError : code)
}

/** Evaluates logs and prints progress and results. */
async function evaluateAll(
  logs: FoundLogs['logs'],
  target: ConversationTarget,
  open: OpenLogs,
  { workers, quiet, json }: Options,
  { terminal }: CommandContext,
): Promise<EvaluatedLog[]> {
  const [{ evaluateLogs }, { evaluatedData, evaluatedText, progressLine }] = await Promise.all([
    import('../../../operations/logs/evaluate-logs.ts'),
    import('./evaluated-text.ts'),
  ])
  let count = 0
  const onLog = (log: EvaluatedLog) => {
    count++
    if (log.problem !== undefined) terminal.err(`${printableLine(log.problem)}\n`)
    if (!quiet && !json) terminal.err(progressLine(log, count, logs.length, terminal.palette('stderr')))
  }
  const evaluated = await evaluateLogs(logs, target, { workers, onLog }, open)
  if (json) terminal.json(evaluatedData(evaluated))
  else terminal.out(evaluatedText(evaluated, terminal.palette('stdout')))
  return evaluated
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
