import type { HostClock } from '../../../model/host.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** Shows how many tests were tried, in a line that is drawn over. */
export interface CheckProgress {
  onTest(done: number, total: number): void
  end(): void
}

const REDRAW_MS = 100

export function checkProgress(terminal: Terminal, clock: HostClock): CheckProgress {
  let drawn: number | undefined
  let since = clock.elapsed()
  return {
    onTest(done, total) {
      if (!terminal.isLive || clock.elapsed() - since < REDRAW_MS) return
      since = clock.elapsed()
      drawn = done
      terminal.err(`\r\u001b[K${done} of ${total} tests`)
    },
    end() {
      if (drawn !== undefined) terminal.err('\r\u001b[K')
    },
  }
}
