import type { Palette } from '../../lib/palette.ts'
import { attemptName } from '../../model/attempt-name.ts'
import type { Verdict } from '../../model/marks.ts'
import { liveFrame } from './live-frame.ts'
import { type Progress, warningText } from './progress.ts'

const REDRAW_MS = 100

interface Screen {
  write(text: string): void
  columns(): number | undefined
}

interface Running {
  readonly name: string
  readonly since: number
  waits: string
  waitsUntil: number
}

/** A frame on a terminal that is drawn over and over. */
export function liveProgress(total: number, palette: Palette, screen: Screen): Progress {
  const started = performance.now()
  const running = new Map<string, Running>()
  const counts: Record<Verdict, number> = { pass: 0, borderline: 0, fail: 0, error: 0 }
  let cost_usd = 0
  let drawn = 0

  const erase = () => {
    if (drawn > 0) screen.write(`\u001b[${drawn}F\u001b[0J`)
    drawn = 0
  }
  const draw = () => {
    const now = performance.now()
    const attempts = [...running.values()].map(({ name, since, waits, waitsUntil }) => {
      return { name, ms: now - since, waits: now < waitsUntil ? waits : undefined }
    })
    const state = { total, counts, running: attempts, cost_usd, elapsed_ms: now - started }
    const lines = liveFrame(state, screen.columns() || 80, palette)
    erase()
    screen.write(`${lines.join('\n')}\n`)
    drawn = lines.length
  }
  const timer = setInterval(draw, REDRAW_MS).unref()
  return {
    event(event) {
      const { id, test, target, trial } = event.attempt
      const now = performance.now()
      if (event.type === 'started') {
        const name = attemptName({ test_id: test.id, target: target.name, trial })
        running.set(id, { name, since: now, waits: '', waitsUntil: 0 })
      } else if (event.type === 'warning') this.say(warningText(event.message, palette))
      else if (event.type !== 'waiting') running.delete(id)
      else {
        const waits = `${Math.ceil(event.ms / 1000)} s, ${event.reason}`
        Object.assign(running.get(id) ?? {}, { waits, waitsUntil: now + event.ms })
      }
    },
    result({ attempt_id, verdict, cost_usd: cost = 0, judge_usage }) {
      running.delete(attempt_id)
      counts[verdict]++
      cost_usd += cost + (judge_usage?.cost_usd ?? 0)
    },
    say(text) {
      erase()
      screen.write(`${text}\n`)
    },
    end() {
      clearInterval(timer)
      erase()
    },
  }
}
