import { Command, Option } from 'commander'
import { terminalSafeJson } from '../../../lib/text/escape.ts'
import { UserError } from '../../../model/user-error.ts'
import type { PreparedTuning, TuneOptions } from '../../../operations/skills/tune/prepare-tuning.ts'
import type { FinishedTuning } from '../../../operations/skills/tune/tune-skill.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, money, positiveNumber, share, TARGETS_FILE, trialCount, wholeNumber } from '../../options.ts'
import { recordedCommand } from '../../recorded-command.ts'
import { watchSignals } from '../../signals.ts'
import { createStepObserver } from '../../terminal/step-observer.ts'
import { appliedText, tuningData, tuningPlanText, tuningText } from './tune-text.ts'

interface Options {
  readonly queries?: string
  readonly target?: string
  readonly proposer?: string
  readonly targets?: string
  readonly trials?: number
  readonly trainingTrials?: number
  readonly rounds?: number
  readonly proposals?: number
  readonly heldOut?: number
  readonly seed?: number
  readonly workers?: number
  readonly maxCost?: number
  readonly dryRun?: boolean
  readonly fresh?: boolean
  readonly apply?: boolean
  readonly format?: 'text' | 'json'
  readonly json?: boolean
  readonly quiet?: boolean
}

export function tuneCommand(context: CommandContext): Command {
  return new Command('tune')
    .description('Find a description that makes agents use a skill when they should, and show that it is better.')
    .argument('<folder>', 'folder of the skill')
    .option('--queries <file>', 'queries with should_trigger (default: the trigger set or evals.json of the skill)')
    .option('--target <name>', 'coding agent that has the skill')
    .option('--proposer <name>', 'target that proposes descriptions (default: the judge, else the agent itself)')
    .option('--targets <file>', TARGETS_FILE)
    .option('--trials <n>', 'times each held-out query is asked with each description (default: 3)', trialCount)
    .option(
      '--training-trials <n>',
      'times each training query is asked with each description (default: 1)',
      trialCount,
    )
    .option('--rounds <n>', 'maximum number of rounds of proposals (default: 3)', positiveNumber)
    .option('--proposals <n>', 'descriptions that each round proposes (default: 3)', positiveNumber)
    .option('--held-out <share>', 'share of the queries that decide (default: 0.4)', share)
    .option('--seed <n>', 'draw other held-out queries (default: follows from the queries)', wholeNumber)
    .option('--workers <n>', 'maximum number of agents at once (default: number of cores)', positiveNumber)
    .option('--max-cost <usd>', 'stop before the session costs more, with what it spent before', money)
    .option('--dry-run', 'show what would be asked and what it can show, and stop')
    .option('--fresh', 'discard the records of the same session')
    .option('--apply', 'write the accepted description of the latest session to SKILL.md')
    .addOption(new Option('--format <format>', 'format of the result').choices(['text', 'json']))
    .option('--json', 'same as --format json')
    .option('-q, --quiet', 'print no progress')
    .addHelpText('after', `${HELP}${example(...EXAMPLES)}`)
    .action((folder, options) => context.run(() => tune(folder, options, context)))
}

const HELP = `
The same command goes on with a session that was interrupted. Nothing is written
to the skill without --apply.

Exit codes: 0 a description was shown to be better, 1 none was, 2 wrong usage or
files, 3 not finished (budget, errors, no proposals).
`

const EXAMPLES = [
  'assay skill tune skills/csv-report --queries queries.json --target claude --dry-run',
  'assay skill tune skills/csv-report --queries queries.json --target claude --max-cost 5',
  'assay skill tune skills/csv-report --apply',
]

async function tune(folder: string, options: Options, context: CommandContext): Promise<ExitCode> {
  if (options.apply) return apply(folder, options, context)
  const { host, terminal } = context
  const { prepareTuning } = await import('../../../operations/skills/tune/prepare-tuning.ts')
  const prepared = await prepareTuning({ ...tuneOptions(folder, options), command: recordedCommand(context) }, host)
  terminal.redactWith(prepared.redactor.text)
  const isJson = options.json || options.format === 'json'
  if (options.dryRun) {
    if (isJson) printJson(tuningData(prepared), context)
    else terminal.out(tuningPlanText(prepared))
    return EXIT.ok
  }
  if (!options.quiet) terminal.err(tuningPlanText(prepared))
  const { finished, signalled } = await runSession(prepared, options, context)
  if (isJson) printJson(tuningData(prepared, finished), context)
  else terminal.out(tuningText(prepared, finished, terminal.path, terminal.palette('stdout')))
  return signalled ?? exitCode(finished)
}

function tuneOptions(folder: string, options: Options): TuneOptions {
  const { queries, target, proposer, targets, trials, trainingTrials, rounds, proposals, seed, workers } = options
  const { heldOut, maxCost } = options
  if (heldOut === 0 || heldOut === 1)
    throw new UserError('--held-out must be between 0 and 1: both parts need queries.', 'Use 0.4, or leave it out.')
  return {
    ...{ folder, queries, target, proposer, trials, rounds, proposals, seed, workers },
    targets_file: targets,
    training_trials: trainingTrials,
    held_out: heldOut,
    max_cost_usd: maxCost,
  }
}

interface EndedSession {
  readonly finished: FinishedTuning
  /** The exit code of a signal that came. */
  readonly signalled: ExitCode | undefined
}

async function runSession(prepared: PreparedTuning, options: Options, context: CommandContext): Promise<EndedSession> {
  const { host } = context
  const { tuneSkill } = await import('../../../operations/skills/tune/tune-skill.ts')
  const { observer, end } = await createStepObserver(options, context.terminal, host)
  const signals = watchSignals(host, () => observer.onMessage('Stopping: finished attempts are kept.'))
  try {
    const { fresh } = options
    const finished = await tuneSkill(prepared, { observer, signal: signals.signal, fresh }, host).finally(end)
    return { finished, signalled: finished.result ? undefined : signals.code }
  } finally {
    signals.stop()
  }
}

function exitCode({ result, incomplete }: FinishedTuning): ExitCode {
  if (incomplete) return incomplete.reason === 'bug' ? EXIT.bug : EXIT.incomplete
  return result?.status === 'accepted' ? EXIT.ok : EXIT.failed
}

async function apply(folder: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { applyTuning } = await import('../../../operations/skills/tune/apply-tuning.ts')
  const applied = await applyTuning(folder, context.host)
  const { terminal } = context
  if (options.json || options.format === 'json') printJson({ ...applied, file: terminal.path(applied.file) }, context)
  else terminal.out(appliedText(applied, terminal.path, terminal.palette('stdout')))
  return EXIT.ok
}

function printJson(value: unknown, { terminal }: CommandContext): void {
  terminal.out(terminalSafeJson(`${JSON.stringify(value)}\n`))
}
