import { plural } from '../../lib/text/format.ts'
import type { Result } from '../../model/result.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { provenanceFields } from '../provenance.ts'
import { carriedText } from './carried-tests.ts'
import { decisionText } from './decisions.ts'
import { inapplicableNotes } from './inapplicable-tests.ts'
import { type MarkedOutcome, markNotes } from './marked-tests.ts'
import { partialRunText } from './partial-run.ts'
import { carriedTests, type Outcome } from './run-outcome.ts'

/** Notes that a reader needs before the numbers of a run, such as partial, repeated, cached or skipped. */
export function runNotes(outcome: RunFacts & MarkedOutcome): string[] {
  return [...recordNotes(outcome), ...markNotes(outcome)]
}

/** The notes without those on marks. */
export function recordNotes(facts: RunFacts): string[] {
  const { decisions, late, partial, carried, not_applicable, damaged, changed, reruns, answers, cached, retried } =
    facts
  return [
    ...decisions.map(decisionText),
    ...(late > 0 ? [`${plural(late, 'attempt')} finished after the decision: not counted in it`] : []),
    ...(partial === undefined ? [] : [`partial run: ${partial}`]),
    ...(carried ? [carriedText(carried)] : []),
    ...not_applicable.flatMap(inapplicableNotes),
    ...damageNotes(damaged),
    ...(changed.length > 0
      ? [`${changed.join(', ')} changed during the run: the answers come from two versions of the agent`]
      : []),
    ...(reruns ? [`${plural(reruns.attempts, 'attempt')} repeated in ${plural(reruns.reruns, 'rerun')}`] : []),
    ...(cached > 0 ? [`${cached} of ${plural(answers, 'answer')} cached`] : []),
    ...(retried ? [`${plural(retried.answers, 'answer')} after ${plural(retried.failed_calls, 'failed call')}`] : []),
  ]
}

/** The notes of a report that shows each target beside its control arm, with what was decided about it. */
export function notesBesideArms(outcome: Outcome): string[] {
  return runNotes(withoutArmDecisions(outcome))
}

export function withoutArmDecisions(outcome: Outcome): Outcome {
  return { ...outcome, decisions: outcome.decisions.filter(({ control }) => control === undefined) }
}

type RunFacts = Pick<
  Outcome,
  | 'decisions'
  | 'late'
  | 'partial'
  | 'carried'
  | 'not_applicable'
  | 'damaged'
  | 'changed'
  | 'reruns'
  | 'answers'
  | 'cached'
  | 'retried'
>

/** Notes that unreadable lines are missing from all numbers. */
function damageNotes(damaged: number): string[] {
  return damaged > 0 ? [`${plural(damaged, 'damaged line')} left out`] : []
}

/** Yields results with where the run comes from, the number of results and, for a partial or damaged run, a description. */
export function* annotatedResults(run: RunReader): Generator<Result> {
  const report_results = [...run.facts()].length
  const carried = carriedTests(run)
  const parts = [
    partialRunText(run, report_results) ?? [],
    carried ? carriedText(carried) : [],
    damageNotes(run.damaged ?? 0),
  ].flat()
  const partial = parts.length === 0 ? undefined : parts.join('; ')
  const not_made = run.planned > report_results ? run.planned - report_results : undefined
  const origin = provenanceFields(run.info)
  for (const result of run.results())
    yield { ...result, ...origin, report_results, ...(partial === undefined ? {} : { partial, not_made }) }
}
