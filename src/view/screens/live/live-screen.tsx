import type { LiveData } from '../../../report/html/view-data.ts'
import { Problem, Waiting } from '../../parts/notice.tsx'
import { addressOf, runRouteOf } from '../../route.ts'
import type { ScreenProps } from '../../screen.ts'
import { usePolled } from '../../use-polled.ts'
import { LatestFailures } from './latest-failures.tsx'
import { LiveProgress } from './live-progress.tsx'
import { RunEnd } from './run-end.tsx'
import { StopButton } from './stop-button.tsx'

/** A run that goes on: how far it is, what it spends, what failed, what runs and what waits. */
export function LiveScreen({ route, source }: ScreenProps<'live'>) {
  const { run } = route
  const { live = noRuns, stop } = source
  const { data, problem } = usePolled({ load: () => live(run), pause: pauseOf }, run)
  return (
    <article class="live" aria-labelledby="live-name">
      <header class="live-head">
        <h1 id="live-name" tabIndex={-1}>
          {headingOf(data, problem)}
        </h1>
        <a class="fact" href={addressOf(runRouteOf(run))}>
          {run}
        </a>
        {stop && data?.is_live && problem === undefined && <StopButton stop={() => stop(run)} />}
      </header>
      {problem !== undefined && <Problem text={problem} />}
      {problem !== undefined && data && <p class="faint">What follows is what the server said last.</p>}
      {!data && problem === undefined && <Waiting what="the run" />}
      {data && !data.is_live && <RunEnd run={run} source={source} data={data} />}
      {data && <LiveProgress data={data} />}
      {data && <LatestFailures failures={data.latest_failures} run={run} />}
    </article>
  )
}

/** Once a second, until the run ends. */
function pauseOf(data: LiveData | undefined): number | undefined {
  return data && !data.is_live ? undefined : 1000
}

function noRuns(): Promise<LiveData> {
  return Promise.reject(new Error('This page cannot follow a run.'))
}

/** A run whose server is lost may go on or not. */
function headingOf(data: LiveData | undefined, problem: string | undefined): string {
  if (problem !== undefined) return 'Connection lost'
  if (!data) return 'Run'
  return data.is_live ? 'Running' : 'Run ended'
}
