import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { formatDollars, formatDuration } from '../../lib/text/format.ts'
import { displayWidth } from '../../lib/text/unicode.ts'
import type { Verdict } from '../../model/verdict.ts'
import { paint } from '../../report/summary.ts'
import { cutLine } from './screen.ts'

/** The state of a run. */
export interface LiveState {
  readonly total: number
  readonly counts: Readonly<Record<Verdict, number>>
  readonly running: readonly { readonly name: string; readonly ms: number; readonly waits: string | undefined }[]
  /** How far the decisions of the run are, one line each. */
  readonly evidence: readonly string[]
  readonly cost_usd: number
  readonly elapsed_ms: number
}

/** How many running attempts are shown. */
const MOST_SHOWN = 8

/** The lines that are redrawn: running attempts, evidence, a bar, counts, cost and time. */
export function liveFrame(state: LiveState, columns: number, palette: Palette): string[] {
  const shown = state.running.slice(0, MOST_SHOWN).map(({ name, ms, waits }) => {
    const what = waits === undefined ? formatDuration(ms) : `waits: ${printableLine(waits)}`
    return cutLine(`  ${printableLine(name)}  ${what}`, columns)
  })
  const more = state.running.length - shown.length
  return [
    ...shown.map(line => palette.faint(line)),
    ...(more > 0 ? [palette.faint(`  and ${more} more`)] : []),
    ...state.evidence.map(line => cutLine(line, columns)),
    barLine(state, columns, palette),
  ]
}

const BAR_WIDTH = 24

function barLine({ total, counts, cost_usd, elapsed_ms }: LiveState, columns: number, palette: Palette): string {
  const verdicts = Object.keys(counts) as Verdict[]
  const done = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  const filled = total === 0 ? BAR_WIDTH : Math.round((done / total) * BAR_WIDTH)
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
  const words = verdicts
    .filter(verdict => counts[verdict] > 0)
    .map(verdict => ({ verdict, text: `${counts[verdict]} ${verdict}` }))
  const left = done > 0 && done < total ? [`${formatDuration((elapsed_ms / done) * (total - done))} left`] : []
  const figures = [...(cost_usd > 0 ? [formatDollars(cost_usd)] : []), formatDuration(elapsed_ms), ...left]
  const plain = [`${bar} ${done}/${total}`, ...words.map(({ text }) => text), ...figures].join('  ')
  if (displayWidth(plain) > columns) return cutLine(plain, columns)
  return [
    `${bar} ${done}/${total}`,
    ...words.map(({ verdict, text }) => paint(verdict, palette)(text)),
    ...figures,
  ].join('  ')
}
