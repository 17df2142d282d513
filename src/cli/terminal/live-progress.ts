import type { Palette } from '../../lib/palette.ts'
import type { RunEvent } from '../../model/attempt.ts'
import { attemptName, type Result } from '../../model/result.ts'
import type { Verdict } from '../../model/verdict.ts'
import { liveFrame } from './live-frame.ts'
import { type Progress, warningText } from './progress.ts'
import { repeat, type Screen } from './screen.ts'

const REDRAW_MS = 100

interface Running {
  readonly name: string
  readonly since: number
  waits: string
  waitsUntil: number
}

/** Progress on a terminal, in a frame that is redrawn. */
export function liveProgress(total: number, palette: Palette, screen: Screen): Progress {
  return new LiveProgress(total, palette, screen)
}

class LiveProgress implements Progress {
  readonly #total: number
  readonly #palette: Palette
  readonly #screen: Screen
  readonly #started: number
  readonly #running = new Map<string, Running>()
  readonly #counts: Record<Verdict, number> = { pass: 0, borderline: 0, fail: 0, error: 0 }
  readonly #stopDrawing: () => void
  #cost_usd = 0
  #evidence: () => readonly string[] = () => []
  #drawn = 0

  constructor(total: number, palette: Palette, screen: Screen) {
    this.#total = total
    this.#palette = palette
    this.#screen = screen
    this.#started = screen.clock.elapsed()
    this.#stopDrawing = repeat(REDRAW_MS, () => this.#draw(), screen.clock)
  }

  event(event: RunEvent): void {
    const { id, test, target, is_control: control, trial } = event.attempt
    const now = this.#screen.clock.elapsed()
    if (event.type === 'started') {
      const name = attemptName({ test_id: test.id, target: target.name, control, trial })
      this.#running.set(id, { name, since: now, waits: '', waitsUntil: 0 })
    } else if (event.type === 'warning') this.say(warningText(event.message, this.#palette))
    else if (event.type !== 'waiting') this.#running.delete(id)
    else {
      const waits = `${Math.ceil(event.ms / 1000)} s, ${event.reason}`
      Object.assign(this.#running.get(id) ?? {}, { waits, waitsUntil: now + event.ms })
    }
  }

  result({ attempt_id, verdict, cost_usd = 0, judge_usage }: Result): void {
    this.#running.delete(attempt_id)
    this.#counts[verdict]++
    this.#cost_usd += cost_usd + (judge_usage?.cost_usd ?? 0)
  }

  evidence(read: () => readonly string[]): void {
    this.#evidence = read
  }

  say(text: string): void {
    this.#erase()
    this.#screen.write(`${text}\n`)
  }

  end(): void {
    this.#stopDrawing()
    this.#erase()
  }

  #draw(): void {
    const now = this.#screen.clock.elapsed()
    const running = [...this.#running.values()].map(({ name, since, waits, waitsUntil }) => {
      return { name, ms: now - since, waits: now < waitsUntil ? waits : undefined }
    })
    const figures = { cost_usd: this.#cost_usd, elapsed_ms: now - this.#started }
    const state = { total: this.#total, counts: this.#counts, running, evidence: this.#evidence(), ...figures }
    const lines = liveFrame(state, this.#screen.columns() || 80, this.#palette)
    this.#erase()
    this.#screen.write(`${lines.join('\n')}\n`)
    this.#drawn = lines.length
  }

  #erase(): void {
    if (this.#drawn > 0) this.#screen.write(`\u001b[${this.#drawn}F\u001b[0J`)
    this.#drawn = 0
  }
}
