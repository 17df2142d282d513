import { groupBy } from '../lib/collections.ts'
import { terminalSafeJson } from '../lib/text/escape.ts'
import type { RunReader } from '../model/run-reader.ts'
import { compareAgainst } from './compare/against.ts'
import { runArms } from './compare/arms.ts'
import { runComparisonData } from './compare/compare-runs.ts'
import { comparisonData } from './compare/comparison.ts'
import { gatesOf } from './compare/comparison-gates.ts'
import { correctedOutcome } from './outcome/corrected/corrected-rates.ts'
import type { TargetCorrection } from './outcome/corrected/correction.ts'
import { estimatesOf } from './outcome/estimates.ts'
import { markCounts } from './outcome/marked-tests.ts'
import { countsOf } from './outcome/run-outcome.ts'
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

function* documentOf(run: RunReader, { by, against, calibrations }: ReportOptions = {}): Generator<string> {
  const { notable, more, corrections, ...outcome } = correctedOutcome(run, calibrations)
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
    ...figuresOf(outcome.tests, corrections),
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
function figuresOf(tests: readonly TestOutcome[], corrections: readonly TargetCorrection[] = []) {
  const targets = [...groupBy(tests, ({ target }) => target)].map(([target, group]) => ({
    target,
    ...(group.every(({ is_control }) => is_control) ? { is_control: true } : {}),
    tests: group.length,
    counts: countsOf(group),
    ...estimatesOf(group),
    ...correctionData(corrections.find(each => each.target === target)),
  }))
  const [only, ...others] = targets
  if (!only || others.length > 0) return { targets }
  const { pass_rate, score, trials, corrected_pass_rate } = only
  return { targets, pass_rate, ...(corrected_pass_rate ? { corrected_pass_rate } : {}), score, trials }
}

/** The corrected pass rate of a target, or why it has none. */
function correctionData(correction: TargetCorrection | undefined) {
  if (correction?.kind === 'corrected') {
    const { rate, interval, labels } = correction
    return { corrected_pass_rate: { rate, interval, labels } }
  }
  return correction?.kind === 'refused' ? { correction_refused: correction.reasons } : {}
}
