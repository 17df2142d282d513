import type { HistoryEntry } from '../../../report/html/view-data.ts'

/** Runs that a chart shows: the latest ones. */
const MOST_RUNS = 60

const WIDTH = 640
const HEIGHT = 120
const EDGE = { left: 30, right: 12, top: 10, bottom: 12 }

interface Props {
  /** Oldest first. */
  readonly entries: readonly HistoryEntry[]
  readonly current: string
}

/** The score over runs: a dot for each run in the colour of its verdict, and a line where the test changed. */
export function HistoryChart({ entries, current }: Props) {
  const shown = entries.slice(-MOST_RUNS)
  const step = (WIDTH - EDGE.left - EDGE.right) / Math.max(1, shown.length - 1)
  const points = shown.map((entry, index) => ({ entry, x: EDGE.left + index * step, y: heightOf(entry.score ?? 0) }))
  return (
    <svg class="history-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summaryOf(shown)}>
      {[0, 0.5, 1].map(mark => (
        <g key={mark}>
          <line class="axis" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={heightOf(mark)} y2={heightOf(mark)} />
          <text class="tick" x={EDGE.left - 6} y={heightOf(mark) + 4} text-anchor="end">
            {mark}
          </text>
        </g>
      ))}
      {points.map(({ entry, x }) =>
        entry.is_changed ? (
          <line class="changed" x1={x - step / 2} x2={x - step / 2} y1={EDGE.top} y2={heightOf(0)} />
        ) : null,
      )}
      <polyline class="course" points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ entry, x, y }) => (
        <circle class={`fill ${entry.verdict}`} cx={x} cy={y} r={entry.run === current ? 6 : 4} />
      ))}
    </svg>
  )
}

function heightOf(score: number): number {
  return EDGE.top + (1 - score) * (HEIGHT - EDGE.top - EDGE.bottom)
}

/** `12 runs: 9 pass, 3 fail`. */
function summaryOf(entries: readonly HistoryEntry[]): string {
  const counts = new Map<string, number>()
  for (const { verdict } of entries) counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  return `Score over ${entries.length} runs: ${Array.from(counts, ([verdict, count]) => `${count} ${verdict}`).join(', ')}`
}
