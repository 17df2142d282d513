import { useEffect, useRef } from 'preact/hooks'
import { hasPlace } from './list-place.ts'
import type { OpenRun } from './open-run.ts'
import type { Route } from './route.ts'

/** Titles the page, and begins each further screen at its top, with the focus on its heading. */
export function useArrival(route: Route, run: OpenRun | undefined): void {
  const screen = screenKey(route)
  const last = useRef(screen)
  useEffect(() => {
    document.title = titleOf(route, run)
  }, [route, run])
  useEffect(() => {
    if (last.current === screen) return
    last.current = screen
    if (hasPlace(screen)) return
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [screen])
}

/** Names a screen with what it is about, but without its filters. */
export function screenKey(route: Route): string {
  const { screen } = route
  const about = 'base' in route ? [route.base, route.other] : 'test' in route ? [route.run, route.test] : []
  return JSON.stringify([screen, 'run' in route ? route.run : '', ...about])
}

function titleOf(route: Route, run: OpenRun | undefined): string {
  const name = run?.data.run ? `Assay report ${run.data.run.run_id}` : 'Assay report'
  switch (route.screen) {
    case 'test':
      return `${run?.rows_by_key.get(route.test)?.test_id ?? route.test} · ${name}`
    case 'matrix':
      return `Matrix · ${name}`
    case 'run':
      return name
    case 'live':
      return `Live ${route.run} · Assay`
    case 'compare':
      return `${route.base} against ${route.other} · Assay`
    case 'label':
      return 'Label answers · Assay'
    default:
      return 'Runs · Assay'
  }
}
