import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { formatDuration, plural } from '../../lib/text/format.ts'
import type { RunEvent } from '../../model/attempt.ts'
import type { HostClock } from '../../model/host.ts'

/** Waits that begin within this time are one line. */
const GATHER_MS = 200

/** A target that waits again within this time is still waiting. */
const PAUSE_MS = 1000

interface Waiting {
  readonly since: number
  readonly reasons: Set<string>
  /** Until when each attempt waits. */
  readonly until: Map<string, number>
  /** All attempts that have waited. */
  readonly attempts: Set<string>
  isShown: boolean
  callOff: () => void
}

/** Prints a line when attempts start to wait for a target, and one when none waits any more. */
export class WaitLines {
  readonly #palette: Palette
  readonly #write: (text: string) => void
  readonly #clock: HostClock
  readonly #targets = new Map<string, Waiting>()

  constructor(palette: Palette, write: (text: string) => void, clock: HostClock) {
    this.#palette = palette
    this.#write = write
    this.#clock = clock
  }

  wait({ attempt, target, ms, reason }: RunEvent & { type: 'waiting' }): void {
    const now = this.#clock.elapsed()
    let waiting = this.#targets.get(target)
    if (!waiting) {
      const callOff = this.#clock.setTimer(GATHER_MS, () => this.#look(target))
      waiting = { since: now, reasons: new Set(), until: new Map(), attempts: new Set(), isShown: false, callOff }
      this.#targets.set(target, waiting)
    }
    if (!waiting.isShown) waiting.reasons.add(reason)
    waiting.attempts.add(attempt.id)
    waiting.until.set(attempt.id, now + ms)
  }

  /** Ends the waits of an attempt that is finished. */
  finish(attemptId: string): void {
    for (const [target, waiting] of this.#targets) {
      const isLast = waiting.until.delete(attemptId) && waiting.until.size === 0
      if (!isLast || !waiting.isShown) continue
      waiting.callOff()
      waiting.callOff = this.#clock.setTimer(PAUSE_MS, () => this.#look(target))
    }
  }

  end(): void {
    for (const [target, waiting] of this.#targets) {
      waiting.callOff()
      this.#show(target, waiting)
      this.#close(target, waiting)
    }
  }

  /** Shows a wait that has begun, and ends one in which no attempt waits any more. */
  #look(target: string): void {
    const waiting = this.#targets.get(target)
    if (!waiting) return
    this.#show(target, waiting)
    const left = latest(waiting) + PAUSE_MS - this.#clock.elapsed()
    if (left <= 0) this.#close(target, waiting)
    else waiting.callOff = this.#clock.setTimer(left, () => this.#look(target))
  }

  #show(target: string, waiting: Waiting): void {
    if (waiting.isShown) return
    waiting.isShown = true
    const { attempts, since } = waiting
    const [reason = '', ...others] = waiting.reasons
    const why = `${printableLine(reason)}${others.length > 0 ? `, and ${plural(others.length, 'other reason')}` : ''}`
    const verb = attempts.size === 1 ? 'waits' : 'wait'
    const longest = formatDuration(Math.max(1, Math.round(latest(waiting) - since)))
    this.#line(target, `${plural(attempts.size, 'attempt')} ${verb} up to ${longest}: ${why}`)
  }

  #close(target: string, { attempts, since }: Waiting): void {
    this.#targets.delete(target)
    const took = formatDuration(Math.max(1, Math.round(this.#clock.elapsed() - since)))
    this.#line(target, `no longer waiting after ${took}, ${plural(attempts.size, 'attempt')} waited`)
  }

  #line(target: string, text: string): void {
    this.#write(`${this.#palette.warning('wait')} ${printableLine(target)}: ${text}\n`)
  }
}

/** When the last attempt stops waiting; the start of the wait where none does. */
function latest({ until, since }: Waiting): number {
  return [...until.values()].reduce((last, time) => Math.max(last, time), since)
}
