import { useState } from 'preact/hooks'
import { wellFormed } from '../../../../lib/text/unicode.ts'
import { formatMeanScore, formatRate } from '../../../../report/estimates-text.ts'
import type { GroupStatistics } from '../../../../report/html/page-data.ts'
import type { OpenRun } from '../../../open-run.ts'
import { format } from '../../../parts/format.ts'
import { TargetName } from '../../../parts/target-name.tsx'
import { VerdictBar } from '../../../parts/verdict-bar.tsx'
import { addressOf, runRouteOf } from '../../../route.ts'

/** Rows shown initially. */
const FIRST = 12

const HEADS: readonly (readonly [name: string, style: string])[] = [
  ['Suite', ''],
  ['Verdicts', 'wide'],
  ['Tests', 'number wide'],
  ['Pass rate', 'number'],
  ['Score', 'number'],
  ['Cost', 'number wide'],
  ['Tokens', 'number wide'],
  ['Median time', 'number wide'],
]

/** The figures of each suite on each target; a name links to its tests. */
export function SuitesTable({ run }: { readonly run: OpenRun }) {
  const { suites } = run.data
  const [isWhole, setWhole] = useState(false)
  if (suites.length < 2) return null
  return (
    <section class="groups" aria-labelledby="suites-name">
      <h2 id="suites-name">Suites</h2>
      <table aria-labelledby="suites-name">
        <thead>
          <tr>
            {HEADS.map(([name, style]) => (
              <th key={name} scope="col" class={style}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isWhole ? suites : suites.slice(0, FIRST)).map(group => (
            <SuiteRow key={`${group.name} ${group.target}`} group={group} run={run} />
          ))}
        </tbody>
      </table>
      {suites.length > FIRST && !isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {suites.length}
        </button>
      )}
    </section>
  )
}

function SuiteRow({ group, run }: { readonly group: GroupStatistics; readonly run: OpenRun }) {
  const { name, target, is_control, tests, pass_rate, score, cost_usd, tokens, latency } = group
  const [mean = '', ...interval] = formatMeanScore(score, tests).split(/(?= )/)
  const filters = { suite: wellFormed(name), target: wellFormed(target ?? '') }
  return (
    <tr>
      <th scope="row">
        <a href={addressOf(runRouteOf(run.id, filters))}>{name}</a>
        {target !== undefined && (
          <>
            {' '}
            <TargetName name={target} targets={run.targets} is_control={is_control} />
          </>
        )}
      </th>
      <td class="wide bar">
        <VerdictBar counts={group.counts} tests={tests} />
      </td>
      <td class="number wide">{format.count(tests)}</td>
      <td class="number">{formatRate(pass_rate)}</td>
      <td class="number">
        {mean}
        {interval.length > 0 && <span class="wide">{interval.join('')}</span>}
      </td>
      <td class="number wide">{format.cost(cost_usd)}</td>
      <td class="number wide">{format.count(tokens)}</td>
      <td class="number wide">{format.time(latency?.median)}</td>
    </tr>
  )
}
