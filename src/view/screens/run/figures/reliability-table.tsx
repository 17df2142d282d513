import { formatPercent } from '../../../../lib/text/format.ts'
import { formatRate } from '../../../../report/estimates-text.ts'
import type { Reliability } from '../../../../report/html/reliability.ts'
import type { OpenRun } from '../../../open-run.ts'
import { format } from '../../../parts/format.ts'
import { ScrollsSideways } from '../../../parts/scrolls-sideways.tsx'
import { TargetName } from '../../../parts/target-name.tsx'
import { addressOf, runRouteOf } from '../../../route.ts'

/** How steady each target is over its trials, and where noise comes from. */
export function ReliabilityTable({ run }: { readonly run: OpenRun }) {
  const { reliability, noise } = run.data
  if (reliability.length === 0) return null
  const hasReruns = reliability.some(({ without_reruns }) => without_reruns)
  const heads = [
    'Target',
    'Trials',
    'All pass',
    'Any passes',
    'Flaky',
    'Errored',
    ...(hasReruns ? ['Without reruns'] : []),
  ]
  return (
    <section class="groups reliability" aria-labelledby="reliability-name">
      <h2 id="reliability-name">Reliability</h2>
      <ScrollsSideways label="reliability-name">
        <table aria-labelledby="reliability-name">
          <thead>
            <tr>
              {heads.map((head, index) => (
                <th key={head} scope="col" class={index === 0 ? '' : 'number'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {reliability.map(each => (
              <ReliabilityRow key={each.target} figures={each} run={run} hasReruns={hasReruns} />
            ))}
          </tbody>
        </table>
      </ScrollsSideways>
      {reliability.every(({ trials }) => (trials?.most ?? 1) === 1) && (
        <p class="faint">One trial: whether a test passes every time is not known. Use --trials 3 or more.</p>
      )}
      {noise.map(line => (
        <p key={line}>{line}</p>
      ))}
    </section>
  )
}

interface RowProps {
  readonly figures: Reliability
  readonly run: OpenRun
  readonly hasReruns: boolean
}

function ReliabilityRow({ figures, run, hasReruns }: RowProps) {
  const { target, trials, errors, attempts, without_reruns } = figures
  const isKnown = trials !== undefined && trials.k > 1
  const flaky = addressOf(runRouteOf(run.id, { verdicts: ['flaky'], target }))
  return (
    <tr>
      <th scope="row">
        <TargetName name={target} targets={run.targets} />
      </th>
      <td class="number">{trials ? trialsText(trials.k, trials.most) : '–'}</td>
      <td class="number">{isKnown ? `${formatPercent(trials.pass_hat_k)} (pass^${trials.k})` : 'unknown'}</td>
      <td class="number">{isKnown ? `${formatPercent(trials.pass_at_k)} (pass@${trials.k})` : 'unknown'}</td>
      <td class="number">{trials?.flaky ? <a href={flaky}>{format.count(trials.flaky)}</a> : '0'}</td>
      <td class="number">
        {format.count(errors)} of {format.count(attempts)}
      </td>
      {hasReruns && <td class="number">{formatRate(without_reruns)}</td>}
    </tr>
  )
}

function trialsText(least: number, most: number): string {
  return least === most ? String(most) : `${least} to ${most}`
}
