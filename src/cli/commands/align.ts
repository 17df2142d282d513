import type { Command } from 'commander'
import { terminalSafeJson } from '../../lib/text/escape.ts'
import { UserError } from '../../model/user-error.ts'
import type { FinishedAlignment } from '../../operations/align/align-judge.ts'
import type { AlignOptions } from '../../operations/align/prepare-alignment.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { money, positiveNumber, TARGETS_FILE, wholeNumber } from '../options.ts'
import { recordedCommand } from '../recorded-command.ts'
import { watchSignals } from '../signals.ts'
import { alignData, alignPlanText, alignText, appliedAlignmentText } from '../terminal/align-text.ts'
import { createStepObserver } from '../terminal/step-observer.ts'

/** The options of `assay calibrate --align`, with those of `assay calibrate` that it uses. */
export interface AlignCommandOptions {
  readonly align?: boolean
  readonly check?: string
  readonly proposer?: string
  readonly rounds?: number
  readonly proposals?: number
  readonly seed?: number
  readonly workers?: number
  readonly maxCost?: number
  readonly targets?: string
  readonly dryRun?: boolean
  readonly fresh?: boolean
  readonly apply?: boolean
  readonly judge?: string
  readonly runsDir?: string
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Adds the options of `--align` to a command. */
export function addAlignOptions(command: Command): Command {
  return command
    .option('--align', 'propose a better text for a judge, and show on held-out labels whether it is better')
    .option('--check <name>', 'with --align: the check (default: the only one that judges all labelled answers)')
    .option('--proposer <name>', 'with --align: target that proposes texts (default: the judge)')
    .option('--rounds <n>', 'with --align: maximum number of rounds of proposals (default: 3)', positiveNumber)
    .option('--proposals <n>', 'with --align: texts that each round proposes (default: 3)', positiveNumber)
    .option('--seed <n>', 'with --align: draw other halves (default: follows from the labelled answers)', wholeNumber)
    .option('--workers <n>', 'with --align: maximum number of judgements at once (default: cores)', positiveNumber)
    .option('--max-cost <usd>', 'with --align: stop before it costs more, with what it spent before', money)
    .option('--targets <file>', `with --align: ${TARGETS_FILE}`)
    .option('--dry-run', 'with --align: show what would be asked and what it can show, and stop')
    .option('--fresh', 'with --align: discard the records of the same session')
    .option('--apply', 'with --align: write the text that the latest session offered to its prompt file')
    .option('-q, --quiet', 'with --align: print no progress')
}

export const ALIGN_HELP = `
With --align: the same command goes on with a session that was interrupted, and
nothing is written to the suite without --apply. Exit codes: 0 a text is offered,
or there is nothing to improve, 1 no text was shown to be better, 2 wrong usage
or files, or too few labels, 3 not finished (budget, errors, no proposals).
`

/** Runs `assay calibrate --align`. */
export async function runAlign(run: string, options: AlignCommandOptions, context: CommandContext): Promise<ExitCode> {
  if (options.apply) return apply(options, context)
  const { host, terminal } = context
  const { runtimeOn } = await import('../../operations/runtime.ts')
  const asked = { ...alignOptions(run, options), command: recordedCommand(context) }
  if (options.dryRun) {
    const { prepareAlignment } = await import('../../operations/align/prepare-alignment.ts')
    const prepared = await prepareAlignment(asked, runtimeOn(host))
    terminal.redactWith(prepared.redactor.text)
    if (options.json) printJson(alignData(prepared), context)
    else terminal.out(alignPlanText(prepared))
    return EXIT.ok
  }
  const { finished, signalled } = await runSession(asked, options, context)
  if (options.json) printJson(alignData(finished.prepared, finished), context)
  else terminal.out(alignText(finished, terminal.path, terminal.palette('stdout')))
  return signalled ?? exitCode(finished)
}

function alignOptions(run: string, options: AlignCommandOptions): AlignOptions {
  const { check, proposer, rounds, proposals, seed, workers } = options
  return {
    ...{ run, check, proposer, rounds, proposals, seed, workers },
    max_cost_usd: options.maxCost,
    targets_file: options.targets,
    runs_dir: options.runsDir,
  }
}

async function runSession(asked: AlignOptions, options: AlignCommandOptions, context: CommandContext) {
  const { host, terminal } = context
  const [{ alignJudge }, { runtimeOn }] = await Promise.all([
    import('../../operations/align/align-judge.ts'),
    import('../../operations/runtime.ts'),
  ])
  const { observer, end } = await createStepObserver(options, terminal, host)
  const signals = watchSignals(host, () => observer.onMessage('Stopping: finished judgements are kept.'))
  try {
    const { fresh } = options
    const finished = await alignJudge(asked, runtimeOn(host), {
      ...observer,
      signal: signals.signal,
      fresh,
      onPrepared: prepared => {
        terminal.redactWith(prepared.redactor.text)
        if (!options.quiet) terminal.err(alignPlanText(prepared))
      },
    }).finally(end)
    return { finished, signalled: finished.result ? undefined : signals.code }
  } finally {
    signals.stop()
  }
}

function exitCode({ result, incomplete }: FinishedAlignment): ExitCode {
  if (incomplete) return incomplete.reason === 'bug' ? EXIT.bug : EXIT.incomplete
  const isGood = result?.status === 'offered' || result?.status === 'nothing-to-improve'
  return isGood ? EXIT.ok : EXIT.failed
}

async function apply(options: AlignCommandOptions, context: CommandContext): Promise<ExitCode> {
  const { applyAlignment } = await import('../../operations/align/apply-alignment.ts')
  const applied = await applyAlignment(options.check, context.host)
  const { terminal } = context
  if (options.json) printJson({ ...applied, file: terminal.path(applied.file) }, context)
  else terminal.out(appliedAlignmentText(applied, terminal.path, terminal.palette('stdout')))
  return EXIT.ok
}

/** Throws if an option of `--align` is given without it. */
export function requireAlign({ align, ...options }: AlignCommandOptions): void {
  if (align) return
  const { check, proposer, rounds, proposals, seed, workers, maxCost, dryRun, fresh, apply: applies } = options
  const given = {
    check,
    proposer,
    rounds,
    proposals,
    seed,
    workers,
    'max-cost': maxCost,
    'dry-run': dryRun,
    fresh,
    apply: applies,
  }
  const [first] = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (first !== undefined) throw new UserError(`--${first} needs --align.`, 'Add --align, or leave it out.')
}

function printJson(value: unknown, { terminal }: CommandContext): void {
  terminal.out(terminalSafeJson(`${JSON.stringify(value)}\n`))
}
