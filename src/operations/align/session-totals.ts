import { join } from 'node:path'
import type { AlignmentRound } from '../../model/alignment.ts'
import type { Host } from '../../model/host.ts'
import { latestRun } from '../../record/find-run.ts'
import { readRun } from '../../record/read-run.ts'
import { type KnownCosts, meanCost } from '../../run/policies/budget.ts'
import type { PreparedAlignment } from './prepare-alignment.ts'

/** What a session has done so far. */
export interface AlignmentTotals {
  readonly rounds: readonly AlignmentRound[]
  /** Number of replies of the judge. */
  readonly calls: number
  readonly known_usd: number
  /** Number of replies whose cost is unknown. */
  readonly unknown: number
  /** With unknown costs of judgements as the mean of the others; undefined if no cost is known. */
  readonly estimated_usd: number | undefined
}

type Session = Pick<PreparedAlignment, 'folder' | 'session'>

export async function alignmentTotals(prepared: Session, host: Host): Promise<AlignmentTotals> {
  const rounds = await recordedRounds(prepared)
  const costs = await judgementCosts(prepared, host)
  const mean = meanCost(costs)
  const known_usd = costs.usd + sumOf(rounds, ({ known_cost_usd }) => known_cost_usd)
  const unknown = costs.unknown + sumOf(rounds, ({ unknown_costs }) => unknown_costs)
  const estimated_usd = mean === undefined ? undefined : known_usd + costs.unknown * mean
  return { rounds, calls: costs.answers + costs.unknown, known_usd, unknown, estimated_usd }
}

async function recordedRounds({ folder, session }: Session): Promise<AlignmentRound[]> {
  const rounds: AlignmentRound[] = []
  for (let number = 1; number <= session.rounds; number++) {
    const round = await folder.round(number)
    if (round) rounds.push(round)
  }
  return rounds
}

export async function proposalCosts(prepared: Session): Promise<number> {
  return sumOf(await recordedRounds(prepared), ({ known_cost_usd }) => known_cost_usd)
}

function sumOf<Item>(items: readonly Item[], figureOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + figureOf(item), 0)
}

/** What the recorded judgements have cost. The answers were paid before. */
export async function judgementCosts({ folder }: Session, host: Host): Promise<KnownCosts> {
  let [usd, answers, unknown] = [0, 0, 0]
  for (const runsFolder of await folder.allRuns()) {
    const id = await latestRun(runsFolder, host)
    if (id === undefined) continue
    const path = join(runsFolder, id)
    const run = await readRun({ folder: path, results: join(path, 'results.jsonl') }, host)
    for (const { judge_calls, judge_cost_usd } of run.facts()) {
      usd += judge_cost_usd ?? 0
      if (judge_cost_usd === undefined) unknown += judge_calls
      else answers += judge_calls
    }
    run.close()
  }
  return { usd, answers, unknown }
}
