import type { DataSource } from './data-source.ts'
import type { OpenRun } from './open-run.ts'
import type { Go, Route, RouteOf } from './route.ts'

/** What every screen is given. */
export interface ScreenProps<Screen extends Route['screen']> {
  readonly route: RouteOf<Screen>
  readonly source: DataSource
  readonly go: Go
}

/** What a screen of a run is given: the app has loaded it. */
export interface RunScreenProps<Screen extends Route['screen']> extends ScreenProps<Screen> {
  readonly run: OpenRun
}
