import type { Palette } from '../../lib/palette.ts'
import type { RunEvent } from '../../model/attempt.ts'
import { attemptName, type Result } from '../../model/result.ts'
import type { Verdict } from '../../model/verdict.ts'
import { CurrentWaits } from '../../operations/run/current-waits.ts'
import { FailureStream } from './failure-stream.ts'
import { liveFrame } from './live-frame.ts'
import { type Progress, warningText } from './progress.ts'
import { type FrameScreen, RedrawnFrame, sizeOf } from './redrawn-frame.ts'
import { repeat, type Screen } from './screen.ts'

const REDRAW_MS = 100

/** How long nothing is redrawn after a change of the size: tmux reports further changes up to 250 ms late. */
const SETTLE_MS = 300

interface Running {
  readonly name: string
  readonly since: number
}

/** A terminal that a person looks at. */
export interface LiveScreen extends Screen, FrameScreen {
  /** Calls back when the size has changed. Returns a function that stops listening. */
  onResize(call: () => void): () => void
}

/** Progress on a terminal: failures as they happen, above a frame that is redrawn. */
export function liveProgress(total: number, palette: Palette, screen: LiveScreen): Progress {
  return new LiveProgress(total, palette, screen)
}

class LiveProgress implements Progress {
  readonly #total: number
  readonly #palette: Palette
  readonly #screen: LiveScreen
  readonly #frame: RedrawnFrame
  readonly #failures: FailureStream
  readonly #waits = new CurrentWaits()
  readonly #started: number
  readonly #running = new Map<string, Running>()
  readonly #counts: Record<Verdict, number> = { pass: 0, borderline: 0, fail: 0, error: 0 }
  readonly #stops: readonly (() => void)[]
  #settledAt = 0
  #cost_usd = 0
  #evidence: () => readonly string[] = () => []

  constructor(total: number, palette: Palette, screen: LiveScreen) {
    this.#total = total
    this.#palette = palette
    this.#screen = screen
    this.#frame = new RedrawnFrame(screen)
    this.#failures = new FailureStream(palette)
    this.#started = screen.clock.elapsed()
    this.#stops = [
      repeat(REDRAW_MS, () => this.#drawSettled(), screen.clock),
      screen.onResize(() => {
        this.#settledAt = screen.clock.elapsed() + SETTLE_MS
        this.#draw()
      }),
    ]
  }

  event(event: RunEvent): void {
    const { id, test, target, is_control: control, trial } = event.attempt
    const now = this.#screen.clock.elapsed()
    if (event.type === 'started') {
      const name = attemptName({ test_id: test.id, target: target.name, control, trial })
      this.#running.set(id, { name, since: now })
    } else if (event.type === 'warning') this.say(warningText(event.message, this.#palette))
    else if (event.type === 'waiting') this.#waits.add(event, now)
    else this.#finish(id)
  }

  result(result: Result): void {
    const { attempt_id, verdict, cost_usd = 0, judge_usage } = result
    this.#finish(attempt_id)
    this.#counts[verdict]++
    this.#cost_usd += cost_usd + (judge_usage?.cost_usd ?? 0)
    const failure = this.#failures.add(result, sizeOf(this.#screen).columns)
    if (failure !== undefined) this.say(failure)
  }

  evidence(read: () => readonly string[]): void {
    this.#evidence = read
  }

  say(text: string): void {
    this.#frame.print(text)
  }

  end(): void {
    for (const stop of this.#stops) stop()
    this.#frame.clear()
    const { rest } = this.#failures
    if (rest !== undefined) this.say(rest)
  }

  #finish(attemptId: string): void {
    this.#running.delete(attemptId)
    this.#waits.finish(attemptId)
  }

  #drawSettled(): void {
    if (this.#screen.clock.elapsed() >= this.#settledAt) this.#draw()
  }

  #draw(): void {
    const now = this.#screen.clock.elapsed()
    const running = [...this.#running]
      .filter(([id]) => !this.#waits.isWaiting(id, now))
      .map(([, { name, since }]) => ({ name, ms: now - since }))
    const state = {
      total: this.#total,
      counts: this.#counts,
      running,
      waits: this.#waits.at(now),
      rest: this.#failures.rest,
      evidence: this.#evidence(),
      cost_usd: this.#cost_usd,
      elapsed_ms: Math.floor((now - this.#started) / 1000) * 1000,
    }
    this.#frame.draw(liveFrame(state, sizeOf(this.#screen), this.#palette))
  }
}
