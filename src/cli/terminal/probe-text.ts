import { printableLine } from '../../lib/text/escape.ts'
import { formatPercent, formatShare, plural } from '../../lib/text/format.ts'
import type { PlannedProbe, ProbedConsistency } from '../../operations/calibrate/probe-consistency.ts'
import type { RecordedProbes } from '../../operations/calibrate/probe-records.ts'

/** The probes of one set of judges. */
export interface JudgeProbes extends RecordedProbes {
  readonly suite: string
  readonly judges: readonly string[]
  readonly judges_hash: string
  /** Undefined if no answer could be judged again. */
  readonly consistency: ProbedConsistency | undefined
}

/** What a probe takes, before it asks: `judging 20 answers again 5 times: about 100 judge calls, not cached`. */
export function probePlanText({ answers, rounds, calls, changed }: PlannedProbe): string {
  const skipped =
    changed === 0
      ? ''
      : `probe: ${plural(changed, 'answer')} left out, since the test, its checks or its judge changed after the run\n`
  if (answers === 0) return `${skipped}probe: no answer to judge again\n`
  const times = `judging ${plural(answers, 'answer')} again ${rounds} times`
  return `${skipped}probe: ${times}: about ${plural(calls, 'judge call')}, not cached\n`
}

/** Formats the probes of each set of judges. */
export function probesText(probes: readonly JudgeProbes[], { is_interrupted }: { is_interrupted: boolean }): string {
  return probes.map(probe => `\n${probeText(probe, is_interrupted)}`).join('')
}

function probeText(probe: JudgeProbes, isInterrupted: boolean): string {
  const { suite, judges, judges_hash } = probe
  const names = judges.length === 0 ? `judges ${judges_hash}` : judges.map(printableLine).join(' and ')
  const lines = [consistencyText(probe.consistency, isInterrupted), ordersText(probe), lengthText(probe)]
  return `probes of ${printableLine(suite)}, judged by ${names}\n${lines.map(line => `  ${line}\n`).join('')}`
}

function consistencyText(probed: ProbedConsistency | undefined, isInterrupted: boolean): string {
  if (isInterrupted) return 'consistency: unknown, the probe was interrupted'
  const found = probed?.consistency
  const errors = probed?.errors ? `; ${plural(probed.errors, 'answer')} could not be judged` : ''
  if (!probed || !found) return `consistency: unknown, no answer was judged again${errors}`
  const { flip_rate, answers_that_flip, agreement_of_two_calls } = found
  const share = `[${formatShare(flip_rate.interval.low)}–${formatShare(flip_rate.interval.high)}]`
  const flips = `${answers_that_flip} of ${plural(probed.answers, 'answer')} got different verdicts in ${probed.calls} calls`
  return `consistency: two calls agree in ${formatPercent(agreement_of_two_calls)}; ${flips} (${formatPercent(flip_rate.value)} ${share})${errors}`
}

function ordersText({ orders }: JudgeProbes): string {
  if (!orders) return 'position: unknown, the run has no pairs (`pairwise` compares answers in both orders)'
  const { pairs, agree, agree_interval: interval, first_place, second_place, position_p } = orders
  const same = `${formatPercent(agree / pairs)} [${formatShare(interval.low)}–${formatShare(interval.high)}]`
  const places = `the first place won both orders ${first_place} times, the second ${second_place} times (${pText(position_p)})`
  return `position: ${same} of ${plural(pairs, 'pair')} do not depend on the order; ${places}`
}

function lengthText({ length, measured_answers: answers }: JudgeProbes): string {
  if (!length) return `length: unknown, it takes at least 3 labelled answers of different lengths (${answers} labelled)`
  const { per_doubling, interval, p } = length
  const slope = `${signed(per_doubling)} [${signed(interval.low)} to ${signed(interval.high)}]`
  const change = `score of the judge minus that of people ${slope} with each doubling of the length`
  return `length: ${change}, on ${plural(answers, 'answer')} (${pText(p)})`
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
}

function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`
}
