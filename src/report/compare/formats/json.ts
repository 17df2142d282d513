import { terminalSafeJson } from '../../../lib/text/escape.ts'
import { runComparisonData } from '../compare-runs.ts'
import type { ComparisonFormatter } from './comparison-formatter.ts'

export const json: ComparisonFormatter = (compared, gates) =>
  terminalSafeJson(`${JSON.stringify(runComparisonData(compared, gates), null, 2)}\n`)
