import type { Palette } from '../../lib/palette.ts'
import { onOneLine } from '../../lib/printable.ts'
import { paint } from '../../report/summary.ts'
import { seconds } from './figures.ts'
import type { Progress } from './progress.ts'

/** One line for each result, and one for each wait: for files, pipes and CI. */
export function plainProgress(total: number, palette: Palette, write: (text: string) => void): Progress {
  const width = String(total).length
  let done = 0
  return {
    event(event) {
      if (event.type === 'warning') write(`${palette.warning('warning')} ${onOneLine(event.message)}\n`)
      if (event.type !== 'waiting') return
      const { attempt, ms, reason } = event
      write(`${palette.warning('wait')} ${onOneLine(attempt.test.id)} ${seconds(ms)}: ${onOneLine(reason)}\n`)
    },
    result({ verdict, test_id, target, trial, score, duration_ms }) {
      const count = `[${String(++done).padStart(width)}/${total}]`
      const figures = [score === null ? '' : score.toFixed(2), duration_ms === undefined ? '' : seconds(duration_ms)]
      const name = `${onOneLine(test_id)} on ${onOneLine(target)}${trial > 1 ? ` trial ${trial}` : ''}`
      write(
        `${palette.faint(count)} ${paint(verdict, palette)(verdict)} ${name} ${figures.filter(figure => figure !== '').join(' ')}`
          .trimEnd()
          .concat('\n'),
      )
    },
    say: text => write(`${text}\n`),
    end() {},
  }
}
