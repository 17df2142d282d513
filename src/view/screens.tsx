import type { ComponentType } from 'preact'
import type { Route } from './route.ts'
import type { RunScreenProps, ScreenProps } from './screen.ts'
import { CompareScreen } from './screens/compare/compare-screen.tsx'
import { LabelScreen } from './screens/label/label-screen.tsx'
import { LiveScreen } from './screens/live/live-screen.tsx'
import { MatrixScreen } from './screens/matrix/matrix-screen.tsx'
import { RunScreen } from './screens/run/run-screen.tsx'
import { RunsScreen } from './screens/runs/runs-screen.tsx'
import { TestScreen } from './screens/test/test-screen.tsx'

type Screens<Name extends Route['screen']> = { readonly [Each in Name]: ComponentType<ScreenProps<Each>> }
type RunScreens<Name extends Route['screen']> = { readonly [Each in Name]: ComponentType<RunScreenProps<Each>> }

/** Screens that load what they show. */
export const SCREENS: Screens<'runs' | 'compare' | 'live' | 'label'> = {
  runs: RunsScreen,
  compare: CompareScreen,
  live: LiveScreen,
  label: LabelScreen,
}

/** Screens of a run, which the app loads once for all of them. */
export const RUN_SCREENS: RunScreens<'run' | 'matrix' | 'test'> = {
  run: RunScreen,
  matrix: MatrixScreen,
  test: TestScreen,
}
