import type { Attempt, RunEvent } from '../../model/attempt.ts'
import type { Evidence } from '../../model/decision.ts'
import type { HostClock } from '../../model/host.ts'
import type { LiveStatus } from '../../model/live-status.ts'
import { attemptName, type Result } from '../../model/result.ts'
import { evidenceText } from '../../report/outcome/decisions.ts'
import { CurrentWaits } from './current-waits.ts'
import type { RunObserver } from './run-observer.ts'
import type { OpenRecords } from './run-records.ts'

/** How many running attempts are listed. */
const MOST_RUNNING = 50

/** A limit on costs, and what it has counted. */
export interface Spending {
  readonly usd: number
  readonly spent: number
}

/** What a run does at the moment, from its events and results. */
export class LiveState implements RunObserver {
  readonly #clock: HostClock
  readonly #budget: Spending | undefined
  readonly #started: number
  readonly #running = new Map<string, { readonly attempt: Attempt; readonly since: number }>()
  readonly #waits = new CurrentWaits()
  #total = 0
  #before = 0
  #made = 0
  #cost_usd = 0
  #evidence: () => readonly Evidence[] = () => []

  constructor(budget: Spending | undefined, clock: HostClock) {
    this.#budget = budget
    this.#clock = clock
    this.#started = clock.elapsed()
  }

  onStart({ folder, plan, most }: OpenRecords): void {
    this.#total = most ?? plan.attempts.length
    this.#before = folder.index.size
  }

  onEvent(event: RunEvent): void {
    const { attempt } = event
    if (event.type === 'started') this.#running.set(attempt.id, { attempt, since: this.#clock.elapsed() })
    else if (event.type === 'waiting') this.#waits.add(event, this.#clock.elapsed())
    else if (event.type !== 'warning') this.#end(attempt.id)
  }

  onResult({ attempt_id, cost_usd = 0, cached, judge_usage }: Result): void {
    this.#end(attempt_id)
    this.#made++
    this.#cost_usd += (cached ? 0 : cost_usd) + (judge_usage?.cost_usd ?? 0)
  }

  onEvidence(read: () => readonly Evidence[]): void {
    this.#evidence = read
  }

  #end(attemptId: string): void {
    this.#running.delete(attemptId)
    this.#waits.finish(attemptId)
  }

  get status(): LiveStatus {
    const now = this.#clock.elapsed()
    const elapsed_ms = now - this.#started
    const done = this.#before + this.#made
    const left = Math.max(0, this.#total - done)
    const running = [...this.#running.values()].sort((a, b) => a.since - b.since)
    const more = running.length - MOST_RUNNING
    return {
      updated: this.#clock.timestamp(),
      total: this.#total,
      done,
      elapsed_ms,
      ...(this.#made > 0 ? { left_ms: (elapsed_ms / this.#made) * left } : {}),
      cost_usd: this.#budget?.spent ?? this.#cost_usd,
      ...(this.#budget ? { budget_usd: this.#budget.usd } : {}),
      running: running.slice(0, MOST_RUNNING).map(({ attempt, since }) => ({ name: nameOf(attempt), ms: now - since })),
      ...(more > 0 ? { more_running: more } : {}),
      waiting: this.#waits.at(now),
      evidence: this.#evidence().map(evidenceText),
    }
  }
}

function nameOf({ test, target, is_control: control, trial }: Attempt): string {
  return attemptName({ test_id: test.id, target: target.name, control, trial })
}
