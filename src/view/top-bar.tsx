import type { DataSource } from './data-source.ts'
import type { OpenRun } from './open-run.ts'
import { addressOf, type Route, runRouteOf } from './route.ts'
import { ThemeSwitch } from './theme-switch.tsx'

interface Props {
  readonly route: Route
  readonly source: DataSource
  readonly run: OpenRun | undefined
}

/** The name of the program, the way to other screens, and the theme. */
export function TopBar({ route, source, run }: Props) {
  return (
    <header class="top">
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <p class="brand">Assay{source.only_run !== undefined && <span class="faint"> report</span>}</p>
      <nav class="screens" aria-label="Screens">
        {linksOf(route, source, run).map(({ name, to }) => (
          <a href={addressOf(to)} aria-current={to.screen === route.screen ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <ThemeSwitch />
    </header>
  )
}

interface ScreenLink {
  readonly name: string
  readonly to: Route
}

function linksOf(route: Route, source: DataSource, run: OpenRun | undefined): ScreenLink[] {
  const runs: ScreenLink[] = source.runs ? [{ name: 'Runs', to: { screen: 'runs' } }] : []
  if (!('run' in route)) return runs
  const to = runRouteOf(route.run)
  const hasMatrix = (run?.targets.length ?? 0) > 1 || route.screen === 'matrix'
  return [
    ...runs,
    { name: 'Run', to },
    ...(hasMatrix ? [{ name: 'Matrix', to: { ...to, screen: 'matrix' } as Route }] : []),
  ]
}

/** No link: the address holds the screen. */
function skipToMain(): void {
  const main = document.getElementById('main')
  const heading = main?.querySelector<HTMLElement>('.tests h2') ?? main?.querySelector<HTMLElement>('h1')
  heading?.focus()
}
