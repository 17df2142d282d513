import { formatPercent } from '../../../lib/text/format.ts'
import type { ListedRunData } from '../../../report/html/view-data.ts'
import { TargetName, targetColour } from '../../parts/target-name.tsx'
import { type Trend, trendsOf } from './trend-points.ts'

interface Props {
  readonly runs: readonly ListedRunData[]
  /** All targets, in the order of their colours. */
  readonly targets: readonly string[]
}

/** Maximum number of trends; the table has all rates. */
const MAX_TRENDS = 8

/** The pass rate of each target over the last runs of the same suites. */
export function Trends({ runs, targets }: Props) {
  const trends = trendsOf(runs).slice(0, MAX_TRENDS)
  if (trends.length === 0) return null
  const hasSuites = new Set(trends.map(({ suites }) => suites)).size > 1
  return (
    <ul class="trends" aria-label="Pass rate over runs">
      {trends.map(trend => (
        <li key={`${trend.suites} ${trend.target}`} class="card trend">
          <p>
            <TargetName name={trend.target} targets={targets} />
            {hasSuites && <span class="under faint">{trend.suites}</span>}
          </p>
          <Sparkline trend={trend} colour={targetColour(targets, trend.target)} />
          <p class="value">{formatPercent(trend.rates.at(-1) ?? 0)}</p>
        </li>
      ))}
    </ul>
  )
}

const HEIGHT = 34
const WIDTH = 160

/** Pass rates from 0 to 100 %, oldest first, with a dot for the newest. */
function Sparkline({ trend: { target, rates }, colour }: { readonly trend: Trend; readonly colour: number }) {
  const xOf = (index: number) => 4 + (index / Math.max(1, rates.length - 1)) * (WIDTH - 10)
  const yOf = (rate: number) => 4 + (1 - rate) * (HEIGHT - 8)
  const points = rates.map((rate, index) => `${xOf(index).toFixed(1)},${yOf(rate).toFixed(1)}`)
  const label = `${target}, pass rates of ${rates.length} runs, oldest first: ${rates.map(formatPercent).join(', ')}`
  return (
    <svg class={`sparkline target-${colour}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line class="grid" x1={0} x2={WIDTH} y1={yOf(1)} y2={yOf(1)} />
      <line class="axis" x1={0} x2={WIDTH} y1={yOf(0)} y2={yOf(0)} />
      <polyline class="spark" points={points.join(' ')} />
      <circle class="point" cx={xOf(rates.length - 1)} cy={yOf(rates.at(-1) ?? 0)} r={4} />
    </svg>
  )
}
