import type { Palette } from '../../lib/palette.ts'
import { formatDuration } from '../../lib/text/format.ts'
import type { HostClock } from '../../model/host.ts'
import { recordedMark } from '../../model/mark.ts'
import { attemptName } from '../../model/result.ts'
import { formatScore, marksOf } from '../../model/verdict.ts'
import { standingOf } from '../../report/outcome/marked-tests.ts'
import { paint } from '../../report/verdict-colour.ts'
import { isFailure, reasonText } from './failure-stream.ts'
import { type Progress, warningText } from './progress.ts'
import { WaitLines } from './wait-lines.ts'

/** The least time between two lines about how far a decision is. */
const EVIDENCE_MS = 10_000

/** Progress for files, pipes and CI: one line for each result, with the reason of a failure, and for each target that attempts start or stop waiting for. */
export function plainProgress(
  total: number,
  palette: Palette,
  write: (text: string) => void,
  clock: HostClock,
): Progress {
  const width = String(total).length
  const waits = new WaitLines(palette, write, clock)
  let done = 0
  let lastEvidence = clock.elapsed()
  return {
    event(event) {
      if (event.type === 'warning') write(`${warningText(event.message, palette)}\n`)
      if (event.type === 'waiting') waits.wait(event)
      if (event.type === 'finished' || event.type === 'given-up') waits.finish(event.attempt.id)
    },
    result(result) {
      const { verdict, score, threshold, duration_ms, cached } = result
      const standing = standingOf({ mark: recordedMark(result), verdict, is_control: result.control === true })
      const count = `[${String(++done).padStart(width)}/${total}]`
      const words = [
        palette.faint(count),
        paint(verdict, palette)(verdict),
        attemptName(result),
        ...(standing ? [`(${standing})`] : []),
        ...(score === null ? [] : [formatScore(score, 2, marksOf(threshold))]),
        ...(cached ? ['cached'] : duration_ms === undefined ? [] : [formatDuration(duration_ms)]),
      ]
      write(`${words.join(' ')}${isFailure(result) ? reasonText(result) : ''}\n`)
    },
    evidence(read) {
      if (clock.elapsed() - lastEvidence < EVIDENCE_MS) return
      lastEvidence = clock.elapsed()
      for (const line of read()) write(`${palette.faint(line)}\n`)
    },
    say: text => write(`${text}\n`),
    end: () => waits.end(),
  }
}
