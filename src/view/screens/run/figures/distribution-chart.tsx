import type { Distribution } from '../../../../report/html/distributions.ts'
import { format } from '../../../parts/format.ts'
import { TargetName, targetColour } from '../../../parts/target-name.tsx'

interface Props {
  readonly title: string
  /** What is on the axis. */
  readonly unit: string
  readonly distribution: Distribution
  /** All targets, in the order of their colours. */
  readonly targets: readonly string[]
  readonly text: (value: number) => string
}

/** Maximum number of histograms; the table of targets has all medians. */
const MAX_TARGETS = 8

/** A histogram for each target, below each other on a common axis. */
export function DistributionChart({ title, unit, distribution, targets, text }: Props) {
  const shown = distribution.targets.slice(0, MAX_TARGETS)
  const more = distribution.targets.length - shown.length
  return (
    <figure class="card chart">
      <figcaption>
        <h2>{title}</h2>
        <p class="faint">{unit}; the line is the median</p>
      </figcaption>
      {shown.map(each => (
        <div key={each.target} class="histogram-row">
          <p class="histogram-name">
            <TargetName name={each.target} targets={targets} />
            <span class="faint">median {text(each.median)}</span>
          </p>
          <Histogram {...each} distribution={distribution} colour={targetColour(targets, each.target)} text={text} />
        </div>
      ))}
      <Axis distribution={distribution} text={text} />
      {more > 0 && <p class="faint">and {more} more targets</p>}
    </figure>
  )
}

const HEIGHT = 44
/** The part of the width that is left for the numbers of the vertical axis. */
const GUTTER = 9

interface HistogramProps {
  readonly target: string
  readonly counts: readonly number[]
  readonly median: number
  readonly distribution: Distribution
  readonly colour: number
  readonly text: (value: number) => string
}

function Histogram({ target, counts, median, distribution, colour, text }: HistogramProps) {
  const most = Math.max(1, ...counts)
  const width = (100 - GUTTER) / counts.length
  const middle = `${xOf(median, distribution)}%`
  const steps = counts.flatMap((count, step) =>
    count === 0 ? [] : [`${count} from ${text(distribution.bounds[step] ?? 0)}`],
  )
  return (
    <svg
      class={`drawing target-${colour}`}
      height={HEIGHT}
      role="img"
      aria-label={`${target}, median ${text(median)}: ${steps.join(', ')}`}
    >
      <line class="grid" x1={`${GUTTER}%`} x2="100%" y1={0.5} y2={0.5} />
      <line class="axis" x1={`${GUTTER}%`} x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      <text class="tick" x={`${GUTTER - 1.5}%`} y={9} text-anchor="end">
        {format.count(most)}
      </text>
      <text class="tick" x={`${GUTTER - 1.5}%`} y={HEIGHT} text-anchor="end">
        0
      </text>
      {counts.map((count, step) => {
        const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 1))
        return (
          <rect
            key={step}
            class="bar"
            x={`${GUTTER + step * width + width * 0.08}%`}
            width={`${width * 0.84}%`}
            y={HEIGHT - 1 - height}
            height={height}
          />
        )
      })}
      <line class="median" x1={middle} x2={middle} y1={0} y2={HEIGHT} />
    </svg>
  )
}

/** The position of a value, in percent of the width. */
function xOf(value: number, { bounds, is_logarithmic }: Distribution): number {
  const scaled = is_logarithmic ? Math.log10 : (plain: number) => plain
  const [low, high] = [scaled(bounds[0] ?? 0), scaled(bounds.at(-1) ?? 1)]
  return GUTTER + ((scaled(value) - low) / (high - low || 1)) * (100 - GUTTER)
}

function Axis({ distribution, text }: Pick<Props, 'distribution' | 'text'>) {
  const name = (tick: number) => (tick === 0 ? '0' : text(tick))
  // Small numbers may be rounded to the same text.
  const ticks = ticksOf(distribution).filter(
    (tick, index, all) => all.findIndex(each => name(each) === name(tick)) === index,
  )
  return (
    <svg class="drawing" height={18} aria-hidden="true">
      {ticks.map((tick, index) => (
        <g key={tick}>
          <line class="axis" x1={`${xOf(tick, distribution)}%`} x2={`${xOf(tick, distribution)}%`} y1={0} y2={4} />
          <text
            class="tick"
            x={`${xOf(tick, distribution)}%`}
            y={16}
            text-anchor={index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle'}
          >
            {name(tick)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Powers of ten on a logarithmic scale, else round numbers. */
function ticksOf({ bounds, is_logarithmic }: Distribution): number[] {
  const [low, high] = [bounds[0] ?? 0, bounds.at(-1) ?? 1]
  if (!is_logarithmic) {
    const parts = /^[24]/.test(high.toExponential()) ? 4 : 5
    return Array.from({ length: parts + 1 }, (_, part) => low + (part / parts) * (high - low))
  }
  const [from, to] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))]
  const step = Math.ceil((to - from) / 5)
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => 10 ** (from + index * step))
}
