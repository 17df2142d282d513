import type { Palette } from '../../lib/palette.ts'
import type { Verdict } from '../../model/marks.ts'
import type { Attempt } from '../../plan/attempt.ts'
import { liveFrame } from './live-frame.ts'
import type { Progress } from './progress.ts'

const REDRAW_MS = 100

interface Screen {
  write(text: string): void
  columns(): number | undefined
}

interface Running {
  readonly name: string
  readonly since: number
  waits: string | undefined
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
    const attempts = [...running.values()].map(({ name, since, waits }) => ({ name, ms: now - since, waits }))
    const state = { total, counts, running: attempts, cost_usd, elapsed_ms: now - started }
    const lines = liveFrame(state, screen.columns() || 80, palette)
    erase()
    screen.write(`${lines.join('\n')}\n`)
    drawn = lines.length
  }
  const timer = setInterval(draw, REDRAW_MS).unref()
  return {
    event(event) {
      const { id } = event.attempt
      if (event.type === 'started')
        running.set(id, { name: nameOf(event.attempt), since: performance.now(), waits: undefined })
      else if (event.type === 'warning') this.say(event.message)
      else if (event.type !== 'waiting') running.delete(id)
      else {
        const attempt = running.get(id)
        if (attempt) attempt.waits = `${Math.ceil(event.ms / 1000)} s, ${event.reason}`
      }
    },
    result({ attempt_id, verdict, cost_usd: cost = 0 }) {
      running.delete(attempt_id)
      counts[verdict]++
      cost_usd += cost
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

function nameOf({ test, target, trial }: Attempt): string {
  return `${test.id} on ${target.name}${trial > 1 ? ` trial ${trial}` : ''}`
}
