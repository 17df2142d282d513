import { printableLine } from '../../lib/text/escape.ts'
import { formatDuration } from '../../lib/text/format.ts'
import { cutLine } from './cut-line.ts'

/** What people see while targets are asked. */
export interface PingProgress {
  /** A target is asked from now on, until what this gives is called. */
  begin(name: string): () => void
  /** A line that stays. */
  say(text: string): void
  end(): void
}

interface Screen {
  readonly isLive: boolean
  write(text: string): void
  columns(): number | undefined
}

const REDRAW_MS = 100

/** Where nothing can be drawn over, a line is enough now and then. */
const REPEAT_MS = 10_000

const MOST_SHOWN = 8

/** Who is waited for, and how long: one line that is drawn over and over, or a new one now and then. */
export function pingProgress(total: number, screen: Screen, repeatMs = REPEAT_MS): PingProgress {
  const waiting = new Map<symbol, { readonly name: string; readonly since: number }>()
  let done = 0
  const erase = () => {
    if (screen.isLive) screen.write('\r\u001b[K')
  }
  const draw = () => {
    const now = performance.now()
    if (waiting.size === 0) return
    const shown = [...waiting.values()].slice(0, MOST_SHOWN)
    const names = shown.map(({ name, since }) => `${printableLine(name)} ${formatDuration(now - since)}`)
    const more = waiting.size - shown.length
    const line = `${done} of ${total}, waiting for ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    erase()
    screen.write(screen.isLive ? cutLine(line, screen.columns() || 80) : `${line}\n`)
  }
  const timer = setInterval(draw, screen.isLive ? REDRAW_MS : repeatMs).unref()
  return {
    begin(name) {
      const key = Symbol()
      waiting.set(key, { name, since: performance.now() })
      return () => {
        waiting.delete(key)
        done++
      }
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

export const silentPings: PingProgress = { begin: () => () => {}, say() {}, end() {} }
