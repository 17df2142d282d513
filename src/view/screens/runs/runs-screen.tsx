import { useState } from 'preact/hooks'
import type { RunsData } from '../../../report/html/view-data.ts'
import { format } from '../../parts/format.ts'
import { type KeyMeaning, KeysHelp } from '../../parts/keys-help.tsx'
import { Problem, Waiting } from '../../parts/notice.tsx'
import { addressOf, type Go, type Route } from '../../route.ts'
import type { ScreenProps } from '../../screen.ts'
import { useKeys } from '../../use-keys.ts'
import { usePolled } from '../../use-polled.ts'
import { RunsTable } from './runs-table.tsx'
import { Trends } from './trends.tsx'

const KEYS: readonly KeyMeaning[] = [
  ['j k', 'next and previous run; arrow keys in the table'],
  ['Enter', 'open the run'],
  ['x', 'select the run'],
  ['c', 'compare the two selected runs'],
]

/** The runs of the project, newest first. */
export function RunsScreen({ source, go }: ScreenProps<'runs'>) {
  const { runs = noRuns } = source
  const { data, problem } = usePolled({ load: runs, pause: pauseOf }, 'runs')
  return (
    <section class="runs" aria-labelledby="runs-name">
      <div class="section-head">
        <h1 id="runs-name" tabIndex={-1}>
          Runs
        </h1>
        {data && <p class="count">{format.count(data.runs.length + data.more)}</p>}
        <KeysHelp keys={KEYS} />
      </div>
      {problem !== undefined && <Problem text={problem} />}
      {data && <LoadedRuns data={data} go={go} />}
      {!data && problem === undefined && <Waiting what="the runs" />}
    </section>
  )
}

/** Runs come and go on. Those that the server has not read yet follow at once. */
function pauseOf(data: RunsData | undefined): number {
  return data?.runs.some(({ is_unread }) => is_unread) ? 0 : 5000
}

function noRuns(): Promise<RunsData> {
  return Promise.resolve({ runs: [], more: 0 })
}

function LoadedRuns({ data, go }: { readonly data: RunsData; readonly go: Go }) {
  const [selected, setSelected] = useState<readonly string[]>([])
  // A third one replaces the first.
  const toggle = (id: string) =>
    setSelected(now => (now.includes(id) ? now.filter(each => each !== id) : [...now, id].slice(-2)))
  const targets = [...new Set(data.runs.flatMap(run => run.targets.map(({ name }) => name)))]
  const comparison = comparisonOf(data, selected)
  useKeys({ c: () => comparison && go(comparison) })
  if (data.runs.length === 0) return <p class="empty">No runs yet. Start one with: assay eval</p>
  return (
    <>
      <Trends runs={data.runs} targets={targets} />
      <p class="compare-bar" role="status">
        {comparison ? (
          <>
            {comparison.base} → {comparison.other}
            <a class="button" href={addressOf(comparison)} aria-keyshortcuts="c">
              Compare
            </a>
          </>
        ) : (
          <span class="faint">
            {selected.length === 1 ? 'Select one more run to compare.' : 'Select two runs to compare.'}
          </span>
        )}
      </p>
      <RunsTable runs={data.runs} targets={targets} selected={selected} toggle={toggle} />
      {data.more > 0 && <p class="faint">and {format.count(data.more)} older runs</p>}
    </>
  )
}

/** The older of two runs is the base. */
function comparisonOf(
  { runs }: RunsData,
  selected: readonly string[],
): Extract<Route, { screen: 'compare' }> | undefined {
  const [other, base] = runs.filter(({ id }) => selected.includes(id))
  return other && base ? { screen: 'compare', base: base.id, other: other.id } : undefined
}
