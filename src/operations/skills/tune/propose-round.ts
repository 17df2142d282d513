import type { Host } from '../../../model/host.ts'
import type { Measured, TuningRound } from '../../../model/tuning.ts'
import { Incomplete } from '../../proposals/incomplete.ts'
import type { MeasuredRun } from '../../proposals/measure-plan.ts'
import { createProposer } from '../../proposals/proposer.ts'
import { failuresOf, type Ranked } from './measured.ts'
import type { Measurements } from './measurements.ts'
import type { PreparedTuning } from './prepare-tuning.ts'
import { proposalsSchema, proposeDescriptions } from './propose.ts'
import { sessionTotals } from './session-totals.ts'
import type { TuneRun } from './tune-run.ts'

/** What a round of proposals follows from. */
export interface RoundBasis {
  readonly round: number
  /** The latest measurement on the training queries. */
  readonly run: MeasuredRun
  readonly current: Measured
  /** The candidates of earlier rounds. */
  readonly ranked: readonly Ranked[]
}

/** Has descriptions proposed, and records them before they are measured. Throws `Incomplete`. */
export async function proposeRound(
  basis: RoundBasis,
  measurements: Measurements,
  prepared: PreparedTuning,
  run: TuneRun,
  host: Host,
): Promise<TuningRound> {
  const { folder, proposer } = prepared
  const { round, ranked } = basis
  const recorded = await folder.round(round)
  if (recorded) return recorded
  await requireBudget(prepared, host)
  run.observer.onStep?.(`Round ${round}: ${proposer.name} proposes descriptions`)
  const { folders, timeout_seconds } = prepared
  const onWarning = (message: string) => run.observer.onWarning?.(message)
  const context = { reply_schema: proposalsSchema(), folders, timeout_seconds, signal: run.signal, onWarning, host }
  const ask = await createProposer(proposer, measurements.suite, context)
  const task = proposalTask(basis, measurements, prepared)
  const made = await proposeDescriptions({ round, first: ranked.length + 1, task }, ask)
  // Nothing that could be measured: the next session asks again.
  if (made.candidates.length === 0 && ranked.length === 0) {
    const reason = made.rejected[0]?.reason ?? 'no reply was a JSON list of descriptions'
    throw new Incomplete('no-proposals', `${proposer.name} proposed no description that can be used: ${reason}.`)
  }
  await folder.addRound(made)
  return made
}

function proposalTask({ run, current, ranked }: RoundBasis, measurements: Measurements, prepared: PreparedTuning) {
  const { skill, session } = prepared
  const queries = measurements.queries('training')
  const all = [{ number: 0, description: skill.description, measured: current }, ...ranked]
  const tried = all.map(({ number, description, measured }) => ({
    description,
    right: measured.all.right,
    failures: failuresOf(number, queries, run.facts),
  }))
  return { skill: skill.name, body: skill.body, queries: queries.length, tried, wanted: session.proposals }
}

/** Throws if the budget is spent. */
async function requireBudget(prepared: PreparedTuning, host: Host): Promise<void> {
  const { max_cost_usd } = prepared.options
  if (max_cost_usd === undefined) return
  const { spent } = await sessionTotals(prepared, host)
  if ((spent.estimated_usd ?? spent.known_usd) >= max_cost_usd - 1e-9)
    throw new Incomplete('budget', 'The budget is spent.')
}
