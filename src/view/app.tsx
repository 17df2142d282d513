import type { ComponentChildren, ComponentType } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import type { DataSource } from './data-source.ts'
import { type OpenRun, openRun } from './open-run.ts'
import { Problem, Waiting } from './parts/notice.tsx'
import { type Go, type Route, type RouteOf, runRouteOf } from './route.ts'
import type { RunScreenProps, ScreenProps } from './screen.ts'
import { RUN_SCREENS, SCREENS } from './screens.tsx'
import { TopBar } from './top-bar.tsx'
import { useArrival } from './use-arrival.ts'
import { useLoaded } from './use-loaded.ts'
import { useRoute } from './use-route.ts'

/** The page renders the route in its address. */
export function App({ source }: { readonly source: DataSource }) {
  const [wanted, go] = useRoute()
  const route = useMemo(() => availableRoute(wanted, source), [wanted, source])
  if ('run' in route && route.screen !== 'live')
    return <RunPage key={route.run} route={route} source={source} go={go} />
  const Screen = SCREENS[route.screen as keyof typeof SCREENS] as ComponentType<ScreenProps<Route['screen']>>
  return (
    <Frame route={route} source={source} run={undefined}>
      <Screen route={route} source={source} go={go} />
    </Frame>
  )
}

/** The route, or the nearest one that the source has data for. */
function availableRoute(route: Route, source: DataSource): Route {
  const { only_run } = source
  if (only_run !== undefined) return 'filters' in route ? { ...route, run: only_run } : runRouteOf(only_run)
  if (!source.runs) return { screen: 'label' }
  const isKnown = route.screen !== 'home' && !('run' in route && route.run === '')
  return isKnown ? route : { screen: 'runs' }
}

interface RunPageProps {
  readonly route: RouteOf<'run' | 'matrix' | 'test'>
  readonly source: DataSource
  readonly go: Go
}

/** Loads a run once for all its screens. */
function RunPage({ route, source, go }: RunPageProps) {
  const { value, problem } = useLoaded(() => source.run(route.run), route.run)
  const run = useMemo(() => value && openRun(route.run, value), [value, route.run])
  const shown = run ? knownRoute(route, run) : route
  useEscape(shown, go)
  const Screen = RUN_SCREENS[shown.screen] as ComponentType<RunScreenProps<Route['screen']>>
  return (
    <Frame route={shown} source={source} run={run}>
      {problem !== undefined && <Problem text={problem} />}
      {problem === undefined && !run && <Waiting what="the run" />}
      {run && <Screen route={shown} source={source} go={go} run={run} />}
    </Frame>
  )
}

/** A test that the run does not have falls back to the list. */
function knownRoute(route: RunPageProps['route'], run: OpenRun): RunPageProps['route'] {
  if (route.screen !== 'test' || run.rows_by_key.has(route.test)) return route
  return runRouteOf(route.run, route.filters)
}

/** Escape closes a test, from the moment at which it is shown. */
function useEscape(route: RunPageProps['route'], go: Go): void {
  useLayoutEffect(() => {
    if (route.screen !== 'test') return
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) go(runRouteOf(route.run, route.filters))
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [route, go])
}

interface FrameProps {
  readonly route: Route
  readonly source: DataSource
  readonly run: OpenRun | undefined
  readonly children: ComponentChildren
}

/** What every screen has around it. */
function Frame({ route, source, run, children }: FrameProps) {
  useArrival(route, run)
  return (
    <>
      <TopBar route={route} source={source} run={run} />
      <main id="main">{children}</main>
    </>
  )
}
