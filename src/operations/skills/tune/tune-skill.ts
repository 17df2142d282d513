import type { Host } from '../../../model/host.ts'
import type { Candidate, Measured, TuningResult } from '../../../model/tuning.ts'
import { armComparisons } from '../../../report/compare/arm-comparisons.ts'
import { Incomplete, type IncompleteReason } from '../../proposals/incomplete.ts'
import { bestOf, rankInRounds } from '../../proposals/rank-in-rounds.ts'
import type { Ranked } from './measured.ts'
import { Measurements } from './measurements.ts'
import type { PreparedTuning } from './prepare-tuning.ts'
import { proposeRound } from './propose-round.ts'
import { type SessionTotals, sessionTotals } from './session-totals.ts'
import type { TuneRun } from './tune-run.ts'

/** How a tuning session ended. */
export interface FinishedTuning extends SessionTotals {
  /** Undefined if the session is not finished. */
  readonly result: TuningResult | undefined
  readonly incomplete: { readonly reason: IncompleteReason; readonly message: string } | undefined
}

/** Runs a tuning session to its end, or as far as it gets. What is recorded is not asked again. */
export async function tuneSkill(prepared: PreparedTuning, run: TuneRun, host: Host): Promise<FinishedTuning> {
  const { folder } = prepared
  const release = await folder.lock()
  try {
    if (run.fresh) await folder.clear()
    try {
      const result = (await folder.result()) ?? (await new Tuning(prepared, run, host).run())
      return { result, incomplete: undefined, ...(await sessionTotals(prepared, host)) }
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error
      const { reason, message } = error
      return { result: undefined, incomplete: { reason, message }, ...(await sessionTotals(prepared, host)) }
    }
  } finally {
    await release()
  }
}

/** The steps of a session. */
class Tuning {
  readonly #prepared: PreparedTuning
  readonly #run: TuneRun
  readonly #host: Host

  constructor(prepared: PreparedTuning, run: TuneRun, host: Host) {
    this.#prepared = prepared
    this.#run = run
    this.#host = host
  }

  async run(): Promise<TuningResult> {
    const { folder, session, folders } = this.#prepared
    if (!(await folder.session())) await folder.begin(session, folders)
    const measurements = await Measurements.load(this.#prepared, this.#run, this.#host)
    const { current, candidates } = await this.#train(measurements)
    if (current.all.right === 1) return this.#finish({ status: 'nothing-to-improve', training: { current } })
    const best = bestOf(candidates, current.all.right, {
      rightOf: ({ measured }) => measured.all.right,
      lengthOf: ({ description }) => description.length,
    })
    if (!best) return this.#finish({ status: 'no-candidate', training: { current } })
    return this.#finish(await this.#decide(current, best, measurements))
  }

  /** Measures the description and the candidates of each round on the training queries. */
  async #train(
    measurements: Measurements,
  ): Promise<{ readonly current: Measured; readonly candidates: readonly Ranked[] }> {
    const { session, plan } = this.#prepared
    const part = 'training'
    const targets = [await measurements.target(0)]
    const measure = () => measurements.measure({ part, targets, trials: session.training_trials })
    this.#step(`Training: the current description on ${plan.training} queries`)
    let run = await measure()
    const current = measurements.of(0, run, part)
    if (current.all.right === 1) return { current, candidates: [] }
    const candidates = await rankInRounds<Candidate, Ranked>(session.rounds, {
      propose: async (round, ranked) => {
        const basis = { round, run, current, ranked }
        return (await proposeRound(basis, measurements, this.#prepared, this.#run, this.#host)).candidates
      },
      rank: async (all, round) => {
        const added = all.slice(targets.length - 1)
        for (const { number, description } of added) targets.push(await measurements.target(number, description))
        this.#step(`Training, round ${round}: ${added.length} proposals on ${plan.training} queries`)
        const made = await measure()
        run = made
        return all.map(each => ({ ...each, measured: measurements.of(each.number, made, part) }))
      },
      isPerfect: ({ measured }) => measured.all.right === 1,
    })
    return { current, candidates }
  }

  /** Compares the best candidate with the current description on the held-out queries: the only look at them. */
  async #decide(
    current: Measured,
    { number, description, measured }: Ranked,
    measurements: Measurements,
  ): Promise<Omit<TuningResult, 'finished'>> {
    const { session, plan } = this.#prepared
    const part = 'held-out'
    this.#step(`Decision: the current description and candidate ${number} on ${plan.held_out} held-out queries`)
    const [control, target] = [await measurements.target(0), await measurements.target(number, description)]
    const run = await measurements.measure({ part, targets: [target], control, trials: session.trials })
    const [comparison] = armComparisons(run.outcome)
    if (!comparison) throw new RangeError('The held-out queries are not compared.')
    const { evidence, verdict, errors_decide, detectable } = comparison
    const { mean: difference = 0, interval, p, test } = evidence ?? {}
    return {
      status: verdict === 'better' ? 'accepted' : 'not-shown',
      candidate: { number, description },
      training: { current, candidate: measured },
      held_out: {
        current: measurements.of(0, run, part),
        candidate: measurements.of(number, run, part),
        ...{ difference, p, test, verdict, errors_decide, detectable },
        ...(interval ? { interval: { low: interval.low, high: interval.high } } : {}),
      },
    }
  }

  async #finish(ended: Omit<TuningResult, 'finished'>): Promise<TuningResult> {
    const result = { ...ended, finished: this.#host.clock.timestamp() }
    await this.#prepared.folder.finish(result)
    return result
  }

  #step(text: string): void {
    this.#run.observer.onStep?.(text)
  }
}
