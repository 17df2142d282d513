import type { RunReader } from '../../src/model/run-reader.ts'
import type { Reporter } from '../../src/report/reporter.ts'

/** The text of a report that is one file. */
export function rendered(reporter: Reporter, run: RunReader): string {
  return [...reporter.render(run)].flatMap(({ text }) => [...text]).join('')
}
