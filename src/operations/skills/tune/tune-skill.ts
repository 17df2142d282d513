import { hasErrors } from '../../../diagnostics/diagnostic.ts'
import { NoAnswer } from '../../../model/answer.ts'
import type { Host } from '../../../model/host.ts'
import type { Suite } from '../../../model/suite.ts'
import type { Target } from '../../../model/target.ts'
import type { Candidate, Measured, Part, TuningResult, TuningRound } from '../../../model/tuning.ts'
import { armComparisons } from '../../../report/compare/arm-comparisons.ts'
import { NotRun } from '../../../run/ask.ts'
import { InvalidFile } from '../../invalid-file.ts'
import { loadSuites } from '../../load-suites.ts'
import type { RunObserver } from '../../run/run-observer.ts'
import { runtimeOn } from '../../runtime.ts'
import { Incomplete, type IncompleteReason, requireComplete } from './incomplete.ts'
import { type MeasureContext, type MeasuredRun, measure } from './measure.ts'
import { bestOf, failuresOf, measuredOf, type Ranked, targetName } from './measured.ts'
import type { PreparedTuning } from './prepare-tuning.ts'
import { proposeDescriptions } from './propose.ts'
import { createProposer } from './proposer.ts'
import { attemptCosts, proposalCosts, recordedRounds, type SessionTotals, sessionTotals } from './session-totals.ts'
import { copySkill } from './skill-source.ts'
import { tunedTarget } from './tuned-target.ts'

/** Watches a tuning session. */
export interface TuningObserver extends RunObserver {
  /** A step begins, in words. */
  onStep?(text: string): void
}

export interface TuneRun {
  readonly observer: TuningObserver
  readonly signal?: AbortSignal | undefined
  /** Whether the records of the same session are discarded. */
  readonly fresh?: boolean | undefined
}

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
    const tuning = new Tuning(prepared, run, host)
    try {
      const result = (await folder.result()) ?? (await tuning.run())
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
    const suite = await this.#suite()
    const { current, candidates } = await this.#train(suite)
    if (current.all.right === 1) return this.#finish({ status: 'nothing-to-improve', training: { current } })
    const best = bestOf(current, candidates)
    if (!best) return this.#finish({ status: 'no-candidate', training: { current } })
    return this.#finish(await this.#decide(current, best, suite))
  }

  /** Measures the description and the candidates of each round on the training queries. */
  async #train(suite: Suite): Promise<{ readonly current: Measured; readonly candidates: readonly Ranked[] }> {
    const { session, plan } = this.#prepared
    const { training_trials: trials } = session
    const targets = [await this.#target(0, undefined, suite)]
    this.#step(`Training: the current description on ${plan.training} queries`)
    let run = await this.#measure('training', { targets, trials }, suite)
    const current = this.#measured(0, run, 'training')
    let candidates: readonly Candidate[] = []
    let ranked: readonly Ranked[] = []
    for (let round = 1; round <= session.rounds && current.all.right < 1; round++) {
      const proposed = await this.#propose(round, run, current, ranked, suite)
      if (proposed.candidates.length === 0) break
      candidates = [...candidates, ...proposed.candidates]
      for (const { number, description } of proposed.candidates)
        targets.push(await this.#target(number, description, suite))
      this.#step(`Training, round ${round}: ${proposed.candidates.length} proposals on ${plan.training} queries`)
      run = await this.#measure('training', { targets, trials }, suite)
      const made = run
      ranked = candidates.map(each => ({ ...each, measured: this.#measured(each.number, made, 'training') }))
      if (ranked.some(({ measured }) => measured.all.right === 1)) break
    }
    return { current, candidates: ranked }
  }

  /** Has descriptions proposed, and records them before they are measured. */
  async #propose(
    round: number,
    { facts }: MeasuredRun,
    current: Measured,
    ranked: readonly Ranked[],
    suite: Suite,
  ): Promise<TuningRound> {
    const { folder, session, skill, proposer } = this.#prepared
    const recorded = await folder.round(round)
    if (recorded) return recorded
    await this.#requireBudget()
    this.#step(`Round ${round}: ${proposer.name} proposes descriptions`)
    const queries = this.#queries('training')
    const all = [{ number: 0, description: skill.description, measured: current }, ...ranked]
    const tried = all.map(({ number, description, measured }) => ({
      description,
      right: measured.all.right,
      failures: failuresOf(number, queries, facts),
    }))
    const task = { skill: skill.name, body: skill.body, queries: queries.length, tried, wanted: session.proposals }
    const ask = await this.#asker(suite)
    const first = ranked.length + 1
    const made = await proposeDescriptions({ round, first, task }, ask).catch(error => {
      throw proposerError(error, proposer)
    })
    // Nothing that could be measured: the next session asks again.
    if (made.candidates.length === 0 && ranked.length === 0) {
      const reason = made.rejected[0]?.reason ?? 'no reply was a JSON list of descriptions'
      throw new Incomplete('no-proposals', `${proposer.name} proposed no description that can be used: ${reason}.`)
    }
    await folder.addRound(made)
    return made
  }

  /** Compares the best candidate with the current description on the held-out queries: the only look at them. */
  async #decide(
    current: Measured,
    { number, description, measured }: Ranked,
    suite: Suite,
  ): Promise<Omit<TuningResult, 'finished'>> {
    const { session, plan } = this.#prepared
    this.#step(`Decision: the current description and candidate ${number} on ${plan.held_out} held-out queries`)
    const [control, target] = [await this.#target(0, undefined, suite), await this.#target(number, description, suite)]
    const run = await this.#measure('held-out', { targets: [target], control, trials: session.trials }, suite)
    const [comparison] = armComparisons(run.outcome)
    if (!comparison) throw new RangeError('The held-out queries are not compared.')
    const { evidence, verdict, errors_decide, detectable } = comparison
    const { mean: difference = 0, interval, p, test } = evidence ?? {}
    return {
      status: verdict === 'better' ? 'accepted' : 'not-shown',
      candidate: { number, description },
      training: { current, candidate: measured },
      held_out: {
        current: this.#measured(0, run, 'held-out'),
        candidate: this.#measured(number, run, 'held-out'),
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

  async #suite(): Promise<Suite> {
    const { folder, session } = this.#prepared
    const { loaded } = await loadSuites({ paths: [folder.queriesFile(session)] }, runtimeOn(this.#host))
    const [suite] = loaded.suites
    if (!suite || hasErrors(loaded.diagnostics)) throw new InvalidFile(loaded.diagnostics)
    return suite
  }

  async #target(number: number, description: string | undefined, suite: Suite): Promise<Target> {
    const { folder, session, skill, target } = this.#prepared
    const original = folder.copyFolder(0, session)
    await copySkill(skill, original, undefined, this.#host)
    const copy = folder.copyFolder(number, session)
    await copySkill({ folder: original, text: skill.text }, copy, description, this.#host)
    const tuned = { skill: skill.folder, copy, workspace: folder.workspace }
    return tunedTarget(target, targetName(number), tuned, suite, this.#host)
  }

  async #measure(
    part: Part,
    what: { readonly targets: readonly Target[]; readonly control?: Target; readonly trials: number },
    suite: Suite,
  ): Promise<MeasuredRun> {
    const run = await measure(
      { part, ...what },
      () => attemptCosts(this.#prepared, this.#host),
      await this.#measureContext(suite),
    )
    requireComplete(run)
    return run
  }

  async #measureContext(suite: Suite): Promise<MeasureContext> {
    const { folder, session, folders, redactor, timeout_seconds, options } = this.#prepared
    const { max_cost_usd: most, workers = this.#host.cores, command } = options
    const max_cost_usd =
      most === undefined ? undefined : Math.max(0, most - proposalCosts(await recordedRounds(this.#prepared)))
    const { observer, signal } = this.#run
    const shared = { session: folder, suite, queries: session.queries, folders, redactor, observer, signal }
    return { ...shared, workers, timeout_seconds, max_cost_usd, command, host: this.#host }
  }

  #measured(number: number, { facts }: MeasuredRun, part: Part): Measured {
    const measured = measuredOf(number, this.#queries(part), facts)
    if (!measured) throw new RangeError(`Candidate ${number} is not measured.`)
    return measured
  }

  #queries(part: Part) {
    return this.#prepared.session.queries.filter(query => query.part === part)
  }

  async #asker(suite: Suite) {
    const { proposer, folders, timeout_seconds } = this.#prepared
    const { observer, signal } = this.#run
    const onWarning = (message: string) => observer.onWarning?.(message)
    const context = { folders, timeout_seconds, signal, onWarning, host: this.#host }
    return createProposer(proposer, suite, context)
  }

  #step(text: string): void {
    this.#run.observer.onStep?.(text)
  }

  /** Throws if the budget is spent. */
  async #requireBudget(): Promise<void> {
    const { max_cost_usd } = this.#prepared.options
    if (max_cost_usd === undefined) return
    const { spent } = await sessionTotals(this.#prepared, this.#host)
    if ((spent.estimated_usd ?? spent.known_usd) >= max_cost_usd - 1e-9)
      throw new Incomplete('budget', 'The budget is spent.')
  }
}

/** An error of the proposer leaves the session unfinished; any other is a bug. */
function proposerError(error: unknown, { name }: Target): unknown {
  if (error instanceof NotRun) return new Incomplete('interrupted', 'Interrupted.')
  if (!(error instanceof NoAnswer)) return error
  return new Incomplete('no-proposals', `${name} gave no answer: ${error.message}.`)
}
