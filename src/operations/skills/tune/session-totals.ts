import { join } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { ResultFacts } from '../../../model/run-reader.ts'
import type { TuningRound } from '../../../model/tuning.ts'
import { latestRun } from '../../../record/find-run.ts'
import { readRun } from '../../../record/read-run.ts'
import { type KnownCosts, meanCost } from '../../../run/policies/budget.ts'
import type { PreparedTuning } from './prepare-tuning.ts'

/** What a session has done so far. */
export interface SessionTotals {
  readonly rounds: readonly TuningRound[]
  readonly spent: SpentCosts
  /** Number of recorded attempts: how often the agent was started. */
  readonly starts: number
}

/** What a session has cost so far. */
export interface SpentCosts {
  readonly known_usd: number
  /** Number of answers whose cost is unknown. */
  readonly unknown: number
  /** With unknown costs of attempts as the mean of the others; undefined if no cost is known. */
  readonly estimated_usd: number | undefined
}

type Session = Pick<PreparedTuning, 'folder' | 'session'>

export async function sessionTotals(prepared: Session, host: Host): Promise<SessionTotals> {
  const rounds = await recordedRounds(prepared)
  const attempts = await attemptCosts(prepared, host)
  const mean = meanCost(attempts)
  const unknown = attempts.unknown + rounds.reduce((sum, { unknown_costs }) => sum + unknown_costs, 0)
  const known_usd = attempts.usd + proposalCosts(rounds)
  const estimated_usd = mean === undefined ? undefined : known_usd + attempts.unknown * mean
  return { rounds, starts: attempts.answers + attempts.unknown, spent: { known_usd, unknown, estimated_usd } }
}

export async function recordedRounds({ folder, session }: Session): Promise<TuningRound[]> {
  const rounds: TuningRound[] = []
  for (let round = 1; round <= session.rounds; round++) {
    const recorded = await folder.round(round)
    if (recorded) rounds.push(recorded)
  }
  return rounds
}

export function proposalCosts(rounds: readonly TuningRound[]): number {
  return rounds.reduce((sum, { known_cost_usd }) => sum + known_cost_usd, 0)
}

/** What the recorded attempts have cost. */
export async function attemptCosts({ folder }: Session, host: Host): Promise<KnownCosts> {
  const facts: ResultFacts[] = []
  for (const part of ['training', 'held-out'] as const) {
    const runsFolder = folder.runsFolder(part)
    const id = await latestRun(runsFolder, host)
    if (id === undefined) continue
    const path = join(runsFolder, id)
    const run = await readRun({ folder: path, results: join(path, 'results.jsonl') }, host)
    facts.push(...run.facts())
    run.close()
  }
  return costsOf(facts)
}

function costsOf(facts: Iterable<ResultFacts>): KnownCosts {
  let [usd, answers, unknown] = [0, 0, 0]
  for (const { cost_usd, is_replaceable } of facts) {
    if (cost_usd !== undefined) {
      usd += cost_usd
      answers++
    } else if (!is_replaceable) unknown++
  }
  return { usd, answers, unknown }
}
