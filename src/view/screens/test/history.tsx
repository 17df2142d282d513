import { useState } from 'preact/hooks'
import { plural } from '../../../lib/text/format.ts'
import type { HistoryEntry, TestHistory } from '../../../report/html/view-data.ts'
import { format, formatTimestamp } from '../../parts/format.ts'
import { Problem, Waiting } from '../../parts/notice.tsx'
import { ScrollRegion } from '../../parts/scroll-region.tsx'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import { addressOf, type TestRoute } from '../../route.ts'
import { indexKey } from '../../rows.ts'
import { useLoaded } from '../../use-loaded.ts'
import { HistoryChart } from './history-chart.tsx'

interface Props {
  readonly load: () => Promise<TestHistory>
  /** Names what is loaded. */
  readonly of: string
  readonly route: TestRoute
}

/** The results of this test on this target over runs. */
export function History({ load, of, route }: Props) {
  const { value, problem } = useLoaded(load, of)
  return (
    <section class="panel history" aria-labelledby="history-name">
      <h2 id="history-name">History</h2>
      {problem !== undefined && <Problem text={problem} />}
      {problem === undefined && !value && <Waiting what="the history" />}
      {value && <Entries entries={value.runs} route={route} />}
    </section>
  )
}

/** Rows shown initially; all of them on click. */
const FIRST_ROWS = 10

function Entries({ entries, route }: { readonly entries: readonly HistoryEntry[]; readonly route: TestRoute }) {
  const [isWhole, setWhole] = useState(false)
  if (entries.length < 2) return <p class="faint">No other run has this test on this target.</p>
  const newest = entries.toReversed()
  const shown = isWhole ? newest : newest.slice(0, FIRST_ROWS)
  return (
    <>
      <HistoryChart entries={entries} current={route.run} />
      <ScrollRegion name="Runs of this test">
        <table class="history-table">
          <thead>
            <tr>
              {['Run', 'Verdict', 'Score', 'Trials', 'Time', 'Cost'].map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(entry => (
              <EntryRow key={entry.run} entry={entry} route={route} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {shown.length < newest.length && (
        <button type="button" onClick={() => setWhole(true)}>
          {`Show all ${plural(newest.length, 'run')}`}
        </button>
      )}
    </>
  )
}

function EntryRow({ entry, route }: { readonly entry: HistoryEntry; readonly route: TestRoute }) {
  const { run, started, label, commit, index, verdict, is_changed } = entry
  const isCurrent = run === route.run
  const facts = [label, commit?.slice(0, 7), is_changed ? 'test changed' : undefined]
  return (
    <tr class={isCurrent ? 'open' : ''}>
      <th scope="row">
        {isCurrent ? (
          <span>this run</span>
        ) : (
          <a href={addressOf({ ...route, run, test: indexKey(index), trial: 0 })}>
            {started === undefined ? run : formatTimestamp(started)}
          </a>
        )}
        {facts.map(fact => fact !== undefined && <span class="fact">{fact}</span>)}
      </th>
      <td>
        <VerdictBadge verdict={verdict} />
      </td>
      <td class="number">{format.score(entry.score)}</td>
      <td class="number">{`${entry.passed} of ${entry.attempts}`}</td>
      <td class="number">{format.time(entry.duration_ms)}</td>
      <td class="number">{format.cost(entry.cost_usd)}</td>
    </tr>
  )
}
