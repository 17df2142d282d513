import type { Palette } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { formatDollars, formatDuration, plural } from '../../lib/text/format.ts'
import { cutToWidth, displayWidth } from '../../lib/text/unicode.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { TargetWait } from '../../operations/run/current-waits.ts'
import { paint } from '../../report/verdict-colour.ts'
import { cutLine, type ScreenSize } from './screen.ts'

/** The state of a run. */
export interface LiveState {
  readonly total: number
  readonly counts: Readonly<Record<Verdict, number>>
  /** The attempts that do not wait. */
  readonly running: readonly { readonly name: string; readonly ms: number }[]
  readonly waits: readonly TargetWait[]
  /** How many failures are not shown; undefined if all are. */
  readonly rest: string | undefined
  /** How far the decisions of the run are, one line each. */
  readonly evidence: readonly string[]
  readonly cost_usd: number
  readonly elapsed_ms: number
}

/** How many running attempts, and targets that attempts wait for, are shown on a large screen. */
const MOST_SHOWN = 8

/** The lines that are redrawn: running attempts, waits, evidence, a bar, counts, cost and time. */
export function liveFrame(state: LiveState, { columns, rows }: ScreenSize, palette: Palette): string[] {
  const most = Math.min(MOST_SHOWN, Math.max(1, Math.floor(rows / 4)))
  const running = state.running.map(({ name, ms }) => cutLine(`  ${printableLine(name)}  ${seconds(ms)}`, columns))
  const waits = state.waits.map(wait => waitLine(wait, columns))
  return [
    ...(state.rest === undefined ? [] : [cutLine(state.rest, columns)]),
    ...limited(running, most).map(palette.faint),
    ...limited(waits, most).map(palette.warning),
    ...state.evidence.map(line => cutLine(line, columns)),
    ...barLines(state, columns, palette),
  ]
}

/** `12 s`, `3 min 20 s`: in whole seconds, so that a frame changes only when there is something new. */
function seconds(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : formatDuration(ms)
}

function limited(lines: readonly string[], most: number): string[] {
  const more = lines.length - most
  return more > 0 ? [...lines.slice(0, most), `  and ${more} more`] : [...lines]
}

/** `  gpt waits 12 s: rate limit (3 attempts)`. Where there is little room, the reason is cut. */
function waitLine({ target, ms, reason, attempts }: TargetWait, columns: number): string {
  const start = `  ${printableLine(target)} waits ${Math.ceil(ms / 1000)} s: `
  const end = ` (${plural(attempts, 'attempt')})`
  const room = Math.max(1, columns - 1 - displayWidth(start) - displayWidth(end))
  return cutLine(`${start}${cutToWidth(printableLine(reason), room)}${end}`, columns)
}

const BAR_WIDTH = 24
const NARROW_BAR_WIDTH = 10

interface Part {
  readonly text: string
  readonly colour: (text: string) => string
}

/** The bar, and what fits beside it; the rest below it. */
function barLines(state: LiveState, columns: number, palette: Palette): string[] {
  const { total, counts, cost_usd, elapsed_ms } = state
  const verdicts = Object.keys(counts) as Verdict[]
  const done = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0)
  const width = columns < 80 ? NARROW_BAR_WIDTH : BAR_WIDTH
  const filled = total === 0 ? width : Math.round((done / total) * width)
  const left =
    elapsed_ms > 0 && done > 0 && done < total ? [`${seconds((elapsed_ms / done) * (total - done))} left`] : []
  const plain = (text: string) => ({ text, colour: (each: string) => each })
  const parts: Part[] = [
    plain(`${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}`),
    ...verdicts
      .filter(verdict => counts[verdict] > 0)
      .map(verdict => ({ text: `${counts[verdict]} ${verdict}`, colour: paint(verdict, palette) })),
    ...[...(cost_usd > 0 ? [formatDollars(cost_usd)] : []), seconds(elapsed_ms), ...left].map(plain),
  ]
  return flowed(parts, columns)
}

/** Puts parts on as many lines as they need. */
function flowed(parts: readonly Part[], columns: number): string[] {
  const lines: string[] = []
  let width = 0
  for (const { text, colour } of parts) {
    const isFirst = lines.length === 0
    const isBeside = !isFirst && width + 2 + text.length < columns
    if (isBeside) lines[lines.length - 1] += `  ${colour(text)}`
    else lines.push(`${isFirst ? '' : '  '}${colour(cutLine(text, columns - 2))}`)
    width = (isBeside ? width : 0) + (isFirst ? 0 : 2) + text.length
  }
  return lines
}
