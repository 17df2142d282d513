import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping, isNestedWithin } from '../../lib/objects.ts'
import { shortHash } from '../../lib/sha256.ts'
import { plural } from '../../lib/text/format.ts'
import { AGGREGATE_VERSION, type AggregateResult, aggregateResultSchema } from '../../model/aggregate-result.ts'
import { DEEPEST_RECORD } from '../../model/answer-limits.ts'
import type { Result } from '../../model/result.ts'
import { recordedResultSchema } from '../recorded-result.ts'
import { RunError } from '../run-error.ts'
import { aggregateProblems } from './aggregate-problems.ts'
import { caseResults } from './case-results.ts'
import { partOf } from './missing-runs.ts'

/** Whether a JSON value is an `aggregate-result.json` of `claude plugin eval`, of any version. */
export function isAggregate(value: unknown): value is Readonly<Record<string, unknown>> {
  return isMapping(value) && 'schemaVersion' in value && !('run' in value)
}

/** Whether a text that is not valid JSON looks like the beginning of an `aggregate-result.json`. */
export function looksLikeAggregate(text: string): boolean {
  return /^\s*\{\s*"schemaVersion"\s*:/.test(text)
}

/** Most problems in a message. */
const MAX_PROBLEMS = 5

/** The results of an `aggregate-result.json`. Throws if the file cannot be read whole or contradicts itself. */
export function readAggregate(value: Readonly<Record<string, unknown>>, path: string): Result[] {
  const file = parseAggregate(value, path)
  if (file.cases.length === 0)
    throw new RunError(`Cannot read ${path}: it has no cases.`, 'Run `claude plugin eval` again: no case was loaded.')
  const problems = aggregateProblems(file)
  if (problems.length > 0)
    throw new RunError(
      `Cannot read ${path}: it contradicts itself. ${listed(problems)}`,
      'Make the results again with `claude plugin eval`, or restore the file.',
    )
  const results = resultsOf(file)
  // What the program could not have recorded itself is not shown as a result.
  const bad = results.find(result => !recordedResultSchema().safeParse(result).success)
  if (bad) throw new RunError(`Cannot read ${path}: case ${bad.test_id}, run ${bad.trial} contradicts itself.`)
  return results
}

function parseAggregate(value: Readonly<Record<string, unknown>>, path: string): AggregateResult {
  if (value['schemaVersion'] !== AGGREGATE_VERSION)
    throw new RunError(
      `Cannot read ${path}: its schemaVersion is ${JSON.stringify(value['schemaVersion'])}, and only ${AGGREGATE_VERSION} is known.`,
      'Update Assay, or make the results with a version of Claude Code that it knows.',
    )
  const parsed = isNestedWithin(value, DEEPEST_RECORD) ? aggregateResultSchema().safeParse(value) : undefined
  if (parsed?.success) return parsed.data
  const problems = (parsed?.error.issues ?? []).map(({ path: at, message }) => `${at.join('.')}: ${message}.`)
  throw new RunError(
    `Cannot read ${path}: it is not a whole aggregate-result.json. ${listed(problems) || 'It is nested too deeply.'}`,
    'Make the results again with `claude plugin eval`, or restore the file.',
  )
}

function listed(problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS
  const first = problems.slice(0, MAX_PROBLEMS).join(' ')
  return more > 0 ? `${first} And ${plural(more, 'more problem')}.` : first
}

function resultsOf(file: AggregateResult): Result[] {
  const run_id = file.assay?.run_id ?? `plugin-evals-${shortHash(canonicalJson(file))}`
  const part = partOf(file)
  const results = file.cases.flatMap(each => caseResults(each, file, run_id))
  return results.map((result, index) => ({ ...result, index, ...part }))
}
