import type { CalibratedRun } from '../operations/calibrate/calibrate.ts'
import type { CommandContext } from './command-context.ts'
import type { ExitCode } from './exit-codes.ts'
import { watchSignals } from './signals.ts'
import { type JudgeProbes, probePlanText, probesText } from './terminal/probe-text.ts'

interface Options {
  /** The run as the user names it. */
  readonly run: string
  readonly probeAnswers?: number
  readonly runsDir?: string
  readonly json?: boolean
}

const DEFAULT_ANSWERS = 20

/** Probes the judges of a calibrated run: says what that takes, asks, and prints the results. */
export async function probeJudges(calibrated: CalibratedRun, options: Options, context: CommandContext) {
  const { host, terminal } = context
  const [{ planProbe, probeConsistency }, { probeRecords }, { runtimeOn }] = await Promise.all([
    import('../operations/calibrate/probe-consistency.ts'),
    import('../operations/calibrate/probe-records.ts'),
    import('../operations/runtime.ts'),
  ])
  const runtime = runtimeOn(host)
  const { run, runsDir: runs_dir, probeAnswers: answers = DEFAULT_ANSWERS } = options
  const plan = await planProbe(calibrated, { run, runs_dir, answers }, runtime)
  terminal.redactWith(plan.redactor.text)
  terminal.err(probePlanText(plan))
  const signals = watchSignals(host, () => terminal.err('Stopping the probe.\n'))
  try {
    const onRound = (round: number) => terminal.err(`probe: round ${round} of ${plan.rounds}\n`)
    const probed = await probeConsistency(plan, { signal: signals.signal, onRound }, runtime)
    const signalled: ExitCode | undefined = signals.code
    const probes = calibrated.suites.flatMap(({ suite, judge_sets }) =>
      judge_sets.map((judges): JudgeProbes => {
        const { judges_hash } = judges
        const own = probed?.find(each => each.suite === suite && each.judges_hash === judges_hash)
        return { suite, judges: judges.judges, judges_hash, consistency: own, ...probeRecords(judges) }
      }),
    )
    if (!options.json) terminal.out(probesText(probes, { is_interrupted: probed === undefined }))
    return { probes, signalled }
  } finally {
    signals.stop()
  }
}
