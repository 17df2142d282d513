import { seconds } from '../../lib/figures.ts'
import type { Palette } from '../../lib/palette.ts'
import { onOneLine } from '../../lib/printable.ts'
import { attemptName } from '../../model/attempt-name.ts'
import { formatScore } from '../../model/marks.ts'
import { paint } from '../../report/summary.ts'
import { type Progress, warningText } from './progress.ts'

/** One line for each result, and one for each wait: for files, pipes and CI. */
export function plainProgress(total: number, palette: Palette, write: (text: string) => void): Progress {
  const width = String(total).length
  let done = 0
  return {
    event(event) {
      if (event.type === 'warning') write(`${warningText(event.message, palette)}\n`)
      if (event.type !== 'waiting') return
      const { attempt, ms, reason } = event
      write(`${palette.warning('wait')} ${onOneLine(attempt.test.id)} ${seconds(ms)}: ${onOneLine(reason)}\n`)
    },
    result(result) {
      const { verdict, score, duration_ms, cached } = result
      const count = `[${String(++done).padStart(width)}/${total}]`
      const words = [
        palette.faint(count),
        paint(verdict, palette)(verdict),
        attemptName(result),
        ...(score === null ? [] : [formatScore(score)]),
        ...(cached ? ['cached'] : duration_ms === undefined ? [] : [seconds(duration_ms)]),
      ]
      write(`${words.join(' ')}\n`)
    },
    say: text => write(`${text}\n`),
    end() {},
  }
}
