import type { OpenRun } from '../../../open-run.ts'
import { format } from '../../../parts/format.ts'
import { CostScoreChart } from './cost-score-chart.tsx'
import { DistributionChart } from './distribution-chart.tsx'

/** The charts that have enough data. A target has the same colour in all of them. */
export function Charts({ run }: { readonly run: OpenRun }) {
  const { distributions, targets, all } = run.data
  const { scores, durations, costs } = distributions
  const points = targets.filter(({ mean_cost_usd, score }) => mean_cost_usd !== undefined && score)
  if (all.tests < 2) return null
  return (
    <div class="charts">
      {scores && (
        <DistributionChart
          title="Scores"
          unit="score of a test"
          distribution={scores}
          targets={run.targets}
          text={value => value.toFixed(1)}
        />
      )}
      {durations && (
        <DistributionChart
          title="Response time"
          unit="time of an answer"
          distribution={durations}
          targets={run.targets}
          text={format.time}
        />
      )}
      {costs && (
        <DistributionChart
          title="Cost"
          unit="cost of an answer"
          distribution={costs}
          targets={run.targets}
          text={format.cost}
        />
      )}
      {points.length > 1 && <CostScoreChart groups={points} targets={run.targets} />}
    </div>
  )
}
