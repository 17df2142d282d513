import { useState } from 'preact/hooks'
import type { Verdict } from '../../../model/verdict.ts'
import { formatMeanScore, formatRate } from '../../../report/estimates-text.ts'
import type { GroupStatistics } from '../../../report/html/page-data.ts'
import type { OpenRun } from '../../open-run.ts'
import { format } from '../../parts/format.ts'
import { IntervalBar } from '../../parts/interval-bar.tsx'
import { TargetName, targetColour } from '../../parts/target-name.tsx'
import { VerdictSign } from '../../parts/verdict-badge.tsx'
import { VerdictBar } from '../../parts/verdict-bar.tsx'
import { addressOf, runRouteOf } from '../../route.ts'

/** Rows shown initially, so that the tests are near. */
const FIRST = 5

/** The headline of a run: the figures of each target, never of all together. */
export function TargetsTable({ run }: { readonly run: OpenRun }) {
  const { targets, corrected } = run.data
  const [isWhole, setWhole] = useState(false)
  if (targets.length === 0) return null
  return (
    <section class="targets" aria-label="Targets">
      <table>
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col">Pass rate, with its 95 % interval</th>
            <th scope="col">Verdicts</th>
            <th scope="col" class="number">
              Score
            </th>
            <th scope="col" class="number wide">
              Cost
            </th>
            <th scope="col" class="number wide">
              Median time
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? targets : targets.slice(0, FIRST)).map(group => (
            <TargetLine key={group.name} group={group} run={run} />
          ))}
        </tbody>
      </table>
      {targets.length > FIRST && !isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {targets.length} targets
        </button>
      )}
      {corrected?.map(line => (
        <p key={line}>{line}</p>
      ))}
    </section>
  )
}

function TargetLine({ group, run }: { readonly group: GroupStatistics; readonly run: OpenRun }) {
  const { name, is_control, pass_rate, score, tests, cost_usd, latency } = group
  const [mean = '', ...interval] = formatMeanScore(score, tests).split(/(?= )/)
  const [rate = '', bounds = ''] = formatRate(pass_rate).split(/(?= \[)/)
  return (
    <tr>
      <th scope="row">
        <TargetName name={name} targets={run.targets} is_control={is_control} />
      </th>
      <td class="rate">
        <span class="value">
          {rate}
          <span class="bounds">{bounds}</span>
        </span>
        {pass_rate && <IntervalBar rate={pass_rate} colour={targetColour(run.targets, name)} />}
      </td>
      <td class="verdicts">
        <VerdictBar counts={group.counts} tests={tests} />
        <VerdictCounts group={group} run={run} />
      </td>
      <td class="number">
        {mean}
        {interval.length > 0 && <span class="wide bounds">{interval.join('')}</span>}
      </td>
      <td class="number wide">{format.cost(cost_usd)}</td>
      <td class="number wide">{format.time(latency?.median)}</td>
    </tr>
  )
}

/** The count of each verdict, linked to its tests. */
function VerdictCounts({ group, run }: { readonly group: GroupStatistics; readonly run: OpenRun }) {
  const target = run.targets.length > 1 ? group.name : ''
  const present = (Object.entries(group.counts) as [Verdict, number][]).filter(([, count]) => count > 0)
  return (
    <ul class="legend">
      {present.map(([verdict, count]) => (
        <li key={verdict}>
          <a href={addressOf(runRouteOf(run.id, { verdicts: [verdict], target }))} class={`legend-item ${verdict}`}>
            <VerdictSign verdict={verdict} />
            <span>
              <strong>{format.count(count)}</strong> {verdict}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
