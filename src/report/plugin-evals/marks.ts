import type { RunReader } from '../../model/run-reader.ts'
import { PASS_MARK } from '../../model/verdict.ts'
import { comparedTargets } from '../compared-targets.ts'
import type { ReportOptions } from '../reporter.ts'

/** Explains why one threshold cannot express the verdicts of a run. */
export function marksProblem(run: RunReader, options: ReportOptions): string | undefined {
  const targets = new Set(comparedTargets(run, options))
  const facts = Array.from(run.facts()).filter(({ target }) => targets.has(target))
  const marks = [...new Set(facts.map(({ threshold }) => threshold))]
  if (marks.length <= 1) return undefined
  const names = marks.map(mark => (mark === undefined ? `the default ${PASS_MARK}` : String(mark))).sort()
  return `Tests of this run have different thresholds (${names.join(', ')}), and an aggregate-result.json has one: select tests of one threshold with --tag or --test-id.`
}
