import type { RunEvent } from '../../model/attempt.ts'

/** A target for which attempts wait. */
export interface TargetWait {
  readonly target: string
  /** How long the last of them will wait. */
  readonly ms: number
  readonly reason: string
  readonly attempts: number
}

interface Wait {
  readonly target: string
  readonly until: number
  readonly reason: string
}

/** The waits of attempts, by target. */
export class CurrentWaits {
  /** By attempt, which waits for one thing at a time. */
  readonly #waits = new Map<string, Wait>()

  add({ attempt, target, ms, reason }: RunEvent & { type: 'waiting' }, now: number): void {
    this.#waits.set(attempt.id, { target, until: now + ms, reason })
  }

  /** Ends the wait of an attempt that is finished. */
  finish(attemptId: string): void {
    this.#waits.delete(attemptId)
  }

  isWaiting(attemptId: string, now: number): boolean {
    return (this.#waits.get(attemptId)?.until ?? 0) > now
  }

  /** The targets that attempts wait for, the longest wait first. */
  at(now: number): TargetWait[] {
    const targets = new Map<string, TargetWait>()
    for (const { target, until, reason } of this.#waits.values()) {
      if (until <= now) continue
      const { ms, attempts, reason: longest } = targets.get(target) ?? { ms: 0, attempts: 0, reason }
      const isLonger = until - now > ms
      targets.set(target, {
        target,
        ms: isLonger ? until - now : ms,
        reason: isLonger ? reason : longest,
        attempts: attempts + 1,
      })
    }
    return [...targets.values()].toSorted((a, b) => b.ms - a.ms)
  }
}
