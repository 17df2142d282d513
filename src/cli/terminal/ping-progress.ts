import { printableLine } from '../../lib/text/escape.ts'
import { formatDuration } from '../../lib/text/format.ts'
import { cutLine, repeat, type Screen } from './screen.ts'

/** Progress of pings. */
export interface PingProgress {
  /** Starts to wait for a target; the returned function ends it. */
  begin(name: string): () => void
  /** Prints a line that is not redrawn. */
  say(text: string): void
  end(): void
}

/** A screen whose lines can be drawn over, or a file. */
type PingScreen = Screen & { readonly isLive: boolean }

const REDRAW_MS = 100

/** How often a new line is printed where lines cannot be redrawn. */
const REPEAT_MS = 10_000

const MOST_SHOWN = 8

/** Shows which targets have not answered yet: in one line that is redrawn, or in a new line now and then. */
export function pingProgress(total: number, screen: PingScreen, repeatMs = REPEAT_MS): PingProgress {
  const waiting = new Map<symbol, { readonly name: string; readonly since: number }>()
  let done = 0
  const erase = () => {
    if (screen.isLive) screen.write('\r\u001b[K')
  }
  const draw = () => {
    const now = screen.clock.elapsed()
    if (waiting.size === 0) return
    const shown = [...waiting.values()].slice(0, MOST_SHOWN)
    const names = shown.map(({ name, since }) => `${printableLine(name)} ${formatDuration(now - since)}`)
    const more = waiting.size - shown.length
    const line = `${done} of ${total}, waiting for ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
    erase()
    screen.write(screen.isLive ? cutLine(line, screen.columns() || 80) : `${line}\n`)
  }
  const stopDrawing = repeat(screen.isLive ? REDRAW_MS : repeatMs, draw, screen.clock)
  return {
    begin(name) {
      const key = Symbol()
      waiting.set(key, { name, since: screen.clock.elapsed() })
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
      stopDrawing()
      erase()
    },
  }
}

export const silentPings: PingProgress = { begin: () => () => {}, say() {}, end() {} }
