import { groupBy } from '../lib/collections.ts'
import { terminalSafeJson } from '../lib/text/escape.ts'
import type { RunReader } from '../model/run-reader.ts'
import { compareAgainst } from './compare/against.ts'
import { runArms } from './compare/arms.ts'
import { runComparisonData } from './compare/compare-runs.ts'
import { comparisonData } from './compare/comparison.ts'
import { gatesOf } from './compare/comparison-gates.ts'
import { estimatesOf } from './outcome/estimates.ts'
import { markCounts } from './outcome/marked-tests.ts'
import { countsOf, outcomeOf } from './outcome/run-outcome.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'
import type { Reporter, ReportOptions } from './reporter.ts'
import { runSlices } from './slices/run-slices.ts'

export const json: Reporter = {
  type: 'json',
  summary: 'One document: what was run, the summary, all results.',
  accepts_by: true,
  accepts_against: true,
  render: (run, options) => [{ text: documentOf(run, options) }],
  terminalSafe: terminalSafeJson,
}

function* documentOf(run: RunReader, { by, against }: ReportOptions = {}): Generator<string> {
  const { notable, more, ...outcome } = outcomeOf(run)
  const arms = runArms(run, outcome)
  const comparisons = arms.length === 0 ? undefined : arms.map(comparisonData)
  const compared = against && {
    against: against.reference.name,
    ...runComparisonData(compareAgainst(run, against), gatesOf(against)),
  }
  const summary = {
    ...outcome,
    tests: outcome.tests.map(withoutResults),
    quarantined: outcome.quarantined.map(withoutResults),
    carried: outcome.carried && { ...outcome.carried, tests: outcome.carried.tests.map(withoutResults) },
    marks: markCounts(outcome),
    ...figuresOf(outcome.tests),
    comparisons,
    slices: runSlices(run, outcome, by),
    compared,
  }
  yield `{\n"run": ${JSON.stringify(run.info ?? {})},\n"summary": ${JSON.stringify(summary)},\n"results": [`
  let comma = '\n'
  for (const result of run.results()) {
    yield `${comma}${JSON.stringify(result)}`
    comma = ',\n'
  }
  yield '\n]\n}\n'
}

function withoutResults({ results, ...test }: TestOutcome) {
  return test
}

/** Estimates per target; those of a single target are also those of the run. */
function figuresOf(tests: readonly TestOutcome[]) {
  const targets = [...groupBy(tests, ({ target }) => target)].map(([target, group]) => ({
    target,
    ...(group.every(({ is_control }) => is_control) ? { is_control: true } : {}),
    tests: group.length,
    counts: countsOf(group),
    ...estimatesOf(group),
  }))
  const [only, ...others] = targets
  if (!only || others.length > 0) return { targets }
  const { pass_rate, score, trials } = only
  return { targets, pass_rate, score, trials }
}
