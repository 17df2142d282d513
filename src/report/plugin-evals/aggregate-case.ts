import { posix } from 'node:path'
import { isMapping, withoutNullish } from '../../lib/objects.ts'
import { plural } from '../../lib/text/format.ts'
import { caseFigures, isGraded } from '../../model/aggregate-figures.ts'
import type { AggregateCase, AggregateGrader } from '../../model/aggregate-result.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import { lastUserText } from '../../model/messages/recorded-messages.ts'
import type { Result } from '../../model/result.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { gradeAlike } from '../../model/shared-checks.ts'
import { aggregateRun } from './aggregate-run.ts'
import type { ComparedCase } from './compared-cases.ts'

/** A test with its attempts as a case. */
export function aggregateCase(each: ComparedCase, run: RunReader): AggregateCase {
  const first = each.with.attempts()
  const second = each.without?.attempts()
  const [attempt] = first
  if (!attempt) throw new Error('a case without attempts')
  const checks =
    [...first, ...(second ?? [])].find(result => result.evaluator_results.length > 0)?.evaluator_results ?? []
  const isWithOnly = withOnlyIn(second ?? [])
  const runsOf = (results: readonly Result[]) =>
    results.map(result => aggregateRun(result, isWithOnly, run.results_file))
  const arms = { with: runsOf(first), ...(second ? { without: runsOf(second) } : {}) }
  const target = run.info?.targets.find(({ name }) => name === attempt.target)
  const limits = { timeoutSeconds: target?.['timeout_seconds'], maxTurns: target?.['max_turns'] }
  const unknown = Object.entries(limits).flatMap(([key, value]) => (typeof value === 'number' ? [] : [key]))
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    name: attempt.test_id,
    ...sourceOf(attempt.file),
    promptMarkdown: lastUserText(attempt.input),
    ...withoutNullish({ model: attempt.model }),
    runsPerCase: Math.max(first.length, second?.length ?? 0, ...first.map(({ trial }) => trial)),
    timeoutSeconds: numberOf(limits.timeoutSeconds),
    maxTurns: numberOf(limits.maxTurns),
    graders: checks.map(graderOf),
    arms,
    ...figuresWithNotes(each, arms),
    assay: caseFields(attempt, unknown),
  }
}

const GRADER_TYPES: Readonly<Record<string, string>> = { file: 'file_exists', rubrics: 'llm', llm_judge: 'llm' }

/** Types of ours that the client does not have keep their name. */
function graderOf({ name, type, weight, text }: EvaluatorResult): AggregateGrader {
  const grader = { name, type: GRADER_TYPES[type] ?? type, weight }
  return grader.type === 'llm'
    ? { ...grader, graderMarkdown: text, config: { criteria: text } }
    : { ...grader, config: { check: text } }
}

/** Whether a check does not apply to the baseline. */
function withOnlyIn(results: readonly Result[]): (name: string) => boolean {
  const names = results.flatMap(({ evaluator_results: checks }) =>
    checks.flatMap(({ name, not_applicable }) => (not_applicable ? [name] : [])),
  )
  return name => names.includes(name)
}

/** The figures of a case. Where errors or different checks make the arms incomparable, no difference is claimed. */
function figuresWithNotes(
  { with: first, without: second }: ComparedCase,
  arms: AggregateCase['arms'],
): Pick<AggregateCase, 'aggregates' | 'advisories'> {
  const { scoreWithout, delta, ...figures } = caseFigures({ arms }, isGraded)
  const notes = (['with', 'without'] as const).flatMap(arm => {
    const errors = (arms[arm] ?? []).filter(run => !isGraded(run)).length
    return errors > 0
      ? [`${plural(errors, 'run')} ${arm} the plugin ended with an error: not part of the figures, no delta is given`]
      : []
  })
  const isComparable = !second || areGradedAlike(first.outcome.results, second.outcome.results)
  if (!isComparable) notes.push('the arms are graded by different checks: no delta is given')
  return {
    ...(notes.length === 0 ? {} : { advisories: notes }),
    aggregates: withoutNullish(notes.length === 0 ? { ...figures, scoreWithout, delta } : figures),
  }
}

type Facts = ComparedCase['with']['outcome']['results']

/** Whether the scores of both arms are those by the checks that apply to both. */
function areGradedAlike(first: Facts, second: Facts): boolean {
  const graded = gradeAlike(first, second)
  if (!graded) return false
  const [one, other] = graded
  return (
    first.every(({ score }, nth) => score === one[nth]?.score) &&
    second.every(({ score }, nth) => score === other[nth]?.score)
  )
}

/** Cases of a plugin are folders; other tests are in a file. */
function sourceOf(file: string): Pick<AggregateCase, 'dir' | 'source'> {
  const isCase = ['prompt.md', 'case.yaml'].includes(posix.basename(file))
  if (!isCase) return { dir: file, source: 'assay' }
  return { dir: posix.dirname(file), source: file.endsWith('.md') ? 'prose' : 'yaml' }
}

/** What identifies a test, and what its figures depend on. */
function caseFields(result: Result, unknown: readonly string[]): AggregateCase['assay'] {
  const { suite, file, line, test_hash, conversation_id, tags, metadata, expected_failure, trigger_threshold } = result
  return {
    suite,
    file,
    line,
    tags,
    metadata: isMapping(metadata) ? metadata : {},
    ...withoutNullish({ test_hash, conversation_id, expected_failure, trigger_threshold }),
    ...(unknown.length === 0 ? {} : { unknown: [...unknown] }),
  }
}
