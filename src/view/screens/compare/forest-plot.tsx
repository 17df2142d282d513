import { plural } from '../../../lib/text/format.ts'
import { ComparisonBadge } from './comparison-verdict.tsx'
import { type ForestRow, scaleEnd } from './forest-rows.ts'

interface Props {
  readonly rows: readonly ForestRow[]
  readonly margin: number
}

/** Differences with their intervals around 0, one line each; what is left of 0 is a loss. */
export function ForestPlot({ rows, margin }: Props) {
  const end = scaleEnd(rows, margin)
  return (
    <figure class="forest" aria-label="Differences with 95 % intervals">
      <ul>
        {rows.map((row, index) => (
          <li key={index} class={`forest-row ${row.verdict ?? 'none'}${row.is_slice ? ' slice' : ''}`}>
            <span class="forest-name">
              {row.name} <span class="faint">{plural(row.tests, 'test')}</span>
            </span>
            <Difference row={row} end={end} margin={margin} />
            <span class="forest-text">{row.text}</span>
            <span class="forest-verdict">{row.verdict && <ComparisonBadge verdict={row.verdict} />}</span>
          </li>
        ))}
      </ul>
      <Scale end={end} />
    </figure>
  )
}

/** A position on the scale in percent. */
function positionOf(value: number, end: number): number {
  return 50 + (Math.max(-end, Math.min(end, value)) / end) * 48
}

interface DifferenceProps {
  readonly row: ForestRow
  readonly end: number
  readonly margin: number
}

function Difference({ row: { name, text, difference, interval }, end, margin }: DifferenceProps) {
  const at = (value: number) => `${positionOf(value, end)}%`
  return (
    <svg class="forest-line" height={20} role="img" aria-label={`${name}: ${text}`}>
      {margin > 0 && (
        <rect
          class="margin"
          x={at(-margin)}
          width={`${positionOf(margin, end) - positionOf(-margin, end)}%`}
          y={0}
          height={20}
        />
      )}
      <line class="zero" x1="50%" x2="50%" y1={0} y2={20} />
      {interval && <line class="interval" x1={at(interval.low)} x2={at(interval.high)} y1={10} y2={10} />}
      {interval &&
        [interval.low, interval.high].map(value => (
          <line class="interval" x1={at(value)} x2={at(value)} y1={6} y2={14} />
        ))}
      <circle class="point" cx={at(difference)} cy={10} r={5} />
    </svg>
  )
}

function Scale({ end }: { readonly end: number }) {
  return (
    <div class="forest-scale faint" aria-hidden="true">
      <span>← worse</span>
      <span class="forest-ticks">
        <span>{`−${end}`}</span>
        <span>0</span>
        <span>{`+${end}`}</span>
      </span>
      <span>better →</span>
    </div>
  )
}
