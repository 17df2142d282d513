import { formatRate } from '../../report/estimates-text.ts'
import type { PassRate } from '../../report/outcome/estimates.ts'

interface Props {
  readonly rate: Pick<PassRate, 'rate' | 'interval'>
  /** Number of the colour; see `TargetName`. */
  readonly colour?: number
}

/** A pass rate with its interval on a line from 0 to 100 %. */
export function IntervalBar({ rate, colour = 0 }: Props) {
  const at = (share: number) => `${1 + share * 98}%`
  const { interval } = rate
  return (
    <svg
      class={`interval-bar target-${colour}`}
      height={14}
      role="img"
      aria-label={`${formatRate(rate)} on a line from 0 to 100 %`}
    >
      <line class="axis" x1="1%" x2="99%" y1={7} y2={7} />
      {[0, 0.5, 1].map(mark => (
        <line class="axis" x1={at(mark)} x2={at(mark)} y1={4} y2={10} />
      ))}
      {interval && (
        <rect
          class="band"
          x={at(interval.low)}
          width={`${Math.max(0.5, (interval.high - interval.low) * 98)}%`}
          y={3}
          height={8}
          rx={4}
        />
      )}
      <circle class="point" cx={at(rate.rate)} cy={7} r={5} />
    </svg>
  )
}
