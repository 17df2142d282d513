import { plural } from '../../../lib/text/format.ts'
import type { LiveStatus } from '../../../model/live-status.ts'
import type { Verdict } from '../../../model/verdict.ts'
import type { LiveData } from '../../../report/html/view-data.ts'
import { format } from '../../parts/format.ts'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'

const VERDICTS: readonly Verdict[] = ['pass', 'borderline', 'fail', 'error']

/** How far a run is: attempts, time, costs, and what runs and waits. */
export function LiveProgress({ data: { status, counts, is_live } }: { readonly data: LiveData }) {
  return (
    <>
      {status && <Bar status={status} counts={counts} />}
      <ul class="live-counts" aria-label="Results">
        {VERDICTS.map(verdict => (
          <li key={verdict}>
            <VerdictBadge verdict={verdict} /> <span class="value">{format.count(counts[verdict])}</span>
          </li>
        ))}
      </ul>
      {status && <Figures status={status} isLive={is_live} />}
      {status && is_live && (
        <div class="live-now">
          <Running status={status} />
          <WaitingTargets status={status} />
        </div>
      )}
      {status?.evidence.map(line => (
        <p class="faint">{line}</p>
      ))}
    </>
  )
}

type Counts = LiveData['counts']

/** All attempts as a bar: those with a result in the colour of their verdict. */
function Bar({ status: { done, total }, counts }: { readonly status: LiveStatus; readonly counts: Counts }) {
  let from = 0
  return (
    <div
      class="live-bar"
      role="progressbar"
      aria-label="Attempts"
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={`${done} of ${total}`}
    >
      <svg height={16} aria-hidden="true">
        <rect class="track" width="100%" height={16} rx={8} />
        {VERDICTS.filter(verdict => counts[verdict] > 0 && total > 0).map(verdict => {
          const width = (100 * counts[verdict]) / total
          from += width
          return <rect class={`fill ${verdict}`} x={`${from - width}%`} width={`${width}%`} height={16} />
        })}
      </svg>
    </div>
  )
}

function Figures({ status, isLive }: { readonly status: LiveStatus; readonly isLive: boolean }) {
  const { done, total, elapsed_ms, left_ms, cost_usd, budget_usd } = status
  return (
    <dl class="live-figures">
      <div>
        <dt>Attempts</dt>
        <dd>{`${format.count(done)} of ${format.count(total)}`}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>
          {format.time(elapsed_ms)}
          {isLive && left_ms !== undefined && <span class="faint">{`, about ${format.time(left_ms)} left`}</span>}
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          {format.cost(cost_usd)}
          {budget_usd !== undefined && <span class="faint">{` of ${format.cost(budget_usd)}`}</span>}
          {budget_usd !== undefined && <Budget spent={cost_usd} budget={budget_usd} />}
        </dd>
      </div>
    </dl>
  )
}

function Budget({ spent, budget }: { readonly spent: number; readonly budget: number }) {
  const share = budget === 0 ? 1 : Math.min(1, spent / budget)
  return (
    <meter class="budget" min={0} max={1} high={0.8} optimum={0} value={share} aria-label="Part of the budget">
      {`${Math.round(share * 100)} %`}
    </meter>
  )
}

/** Attempts that are listed. */
const MAX_RUNNING = 12

function Running({ status: { running, more_running = 0 } }: { readonly status: LiveStatus }) {
  const all = running.length + more_running
  const more = all - Math.min(running.length, MAX_RUNNING)
  return (
    <section class="panel" aria-labelledby="running-name">
      <h2 id="running-name">{`Running: ${all}`}</h2>
      <ul class="live-list">
        {running.slice(0, MAX_RUNNING).map(({ name, ms }) => (
          <li>
            <span>{name}</span>
            <span class="faint">{format.time(ms)}</span>
          </li>
        ))}
        {more > 0 && <li class="faint">{`and ${more} more`}</li>}
      </ul>
    </section>
  )
}

/** One line for each target that waits, with the reason. */
function WaitingTargets({ status: { waiting } }: { readonly status: LiveStatus }) {
  return (
    <section class="panel" aria-labelledby="waiting-name">
      <h2 id="waiting-name">Waiting</h2>
      {waiting.length === 0 && <p class="faint">Nothing waits for a service.</p>}
      <ul class="live-list">
        {waiting.map(({ target, attempts, ms, reason }) => (
          <li>
            <span>
              <strong>{target}</strong> {reason}
            </span>
            <span class="faint">{`${plural(attempts, 'attempt')}, ${format.time(ms)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
