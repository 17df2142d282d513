import type { GroupStatistics } from '../../../../report/html/page-data.ts'
import { format } from '../../../parts/format.ts'
import { TargetName, targetColour } from '../../../parts/target-name.tsx'

interface Props {
  readonly groups: readonly GroupStatistics[]
  /** All targets, in the order of their colours. */
  readonly targets: readonly string[]
}

const HEIGHT = 170
const TOP = 10
const BASE = HEIGHT - 22

/** A scatter plot of the targets: cost to the right, score upwards. */
export function CostScoreChart({ groups, targets }: Props) {
  const most = Math.max(...groups.map(({ mean_cost_usd = 0 }) => mean_cost_usd)) || 1
  const texts = groups.map(
    ({ mean_cost_usd, score }) => `${format.cost(mean_cost_usd)}, score ${format.score(score?.mean)}`,
  )
  return (
    <figure class="card chart">
      <figcaption>
        <h2>Cost against score</h2>
        <p class="faint">mean cost of an answer, and mean score with its 95 % interval</p>
      </figcaption>
      <svg
        class="drawing"
        height={HEIGHT}
        role="img"
        aria-label={groups.map(({ name }, index) => `${name}: ${texts[index]}`).join('; ')}
      >
        {[0, 0.5, 1].map(score => (
          <g key={score}>
            <line class={score === 0 ? 'axis' : 'grid'} x1="9%" x2="100%" y1={yOf(score)} y2={yOf(score)} />
            <text class="tick" x="7.5%" y={yOf(score) + 4} text-anchor="end">
              {score.toFixed(1)}
            </text>
          </g>
        ))}
        {[0, 0.5, 1].map(share => (
          <text
            key={share}
            class="tick"
            x={xOf(share)}
            y={HEIGHT - 4}
            text-anchor={share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}
          >
            {format.cost(share * most)}
          </text>
        ))}
        {groups.map(group => (
          <Point key={group.name} group={group} most={most} colour={targetColour(targets, group.name)} />
        ))}
      </svg>
      <ul class="points">
        {groups.map(({ name }, index) => (
          <li key={name}>
            <TargetName name={name} targets={targets} /> <span class="faint">{texts[index]}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

interface PointProps {
  readonly group: GroupStatistics
  readonly most: number
  readonly colour: number
}

function Point({ group: { mean_cost_usd = 0, score }, most, colour }: PointProps) {
  const x = xOf(mean_cost_usd / most)
  const interval = score?.interval
  return (
    <g class={`target-${colour}`}>
      {interval && <line class="whisker" x1={x} x2={x} y1={yOf(interval.low)} y2={yOf(interval.high)} />}
      <circle class="point" cx={x} cy={yOf(score?.mean ?? 0)} r={7} />
    </g>
  )
}

function yOf(score: number): number {
  return BASE - score * (BASE - TOP)
}

function xOf(share: number): string {
  return `${11 + share * 86}%`
}
