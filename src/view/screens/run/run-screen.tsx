import type { RunScreenProps } from '../../screen.ts'
import { Figures } from './figures.tsx'
import { RunHead } from './run-head.tsx'
import { TargetsTable } from './targets-table.tsx'
import { TestsSection } from './tests-section.tsx'

/** A run: its headline for each target, the tests with failures first, then the figures. */
export function RunScreen({ run, route, go }: RunScreenProps<'run'>) {
  return (
    <div class="run">
      <RunHead run={run} />
      <TargetsTable run={run} />
      <TestsSection run={run} filters={route.filters} go={go} />
      <Figures run={run} />
    </div>
  )
}
