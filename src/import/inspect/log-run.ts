import { basename } from 'node:path'
import { canonicalJson } from '../../lib/json/stringify.ts'
import { isMapping, withoutNullish } from '../../lib/objects.ts'
import { shortHash } from '../../lib/sha256.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import { type Result, SCHEMA_VERSION } from '../../model/result.ts'
import { judgeChecks } from '../../model/verdict.ts'
import type { ImportContext, ImportedRun } from '../format.ts'
import type { Written } from '../written.ts'
import { sampleAnswer } from './sample-answer.ts'
import { scoreChecks } from './scores.ts'

/** Converts a log into a run. What the log does not say stays unknown. */
export function convertLog(log: Written, file: string, context: ImportContext): ImportedRun {
  const facts = logFacts(log, file)
  const samples = log.get('samples')
  if (!samples) context.notes.leftOut(log.at, 'a log without samples: it has no results of single tests')
  const seen = new Set<string>()
  const results = (samples?.items() ?? []).flatMap((sample): Result[] => {
    const result = sample.isMapping() ? sampleResult(sample, facts, context) : undefined
    if (!result || seen.has(result.attempt_id)) {
      context.notes.leaveTestOut(
        sample.at,
        result ? 'a sample that is twice in the log' : 'a sample that cannot be read',
      )
      return []
    }
    seen.add(result.attempt_id)
    return [result]
  })
  if (results.length > 0) context.notes.countTests(context.notes.mark(), results.length)
  const { started, suite, target } = facts
  const planned = log.get('results')?.get('total_samples')?.number()
  return {
    started,
    label: `inspect ${basename(file)}`,
    suite,
    targets: [{ name: target, provider: facts.provider }],
    results: results.map((result, index) => ({ ...result, index })),
    planned: isWhole(planned) ? Math.max(planned, results.length) : results.length,
  }
}

function isWhole(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 && value < 1e9
}

interface LogFacts {
  readonly run_id: string
  readonly started: string
  readonly suite: string
  readonly file: string
  readonly target: string
  readonly provider: string
}

function logFacts(log: Written, file: string): LogFacts {
  const about = log.get('eval')
  const text = (key: string) => about?.get(key)?.text()
  const target = text('model') ?? 'unknown'
  return {
    run_id: `inspect-${shortHash(canonicalJson([text('run_id') ?? '', text('task_id') ?? '', file]))}`,
    started: timestampOf(text('created')) ?? UNKNOWN_TIME,
    suite: text('task') ?? basename(file),
    file: text('task_file') ?? text('task') ?? basename(file),
    target,
    provider: /^[^/]+(?=\/)/.exec(target)?.[0] ?? 'inspect',
  }
}

/** Epochs of a sample are trials of a test. */
function sampleResult(sample: Written, facts: LogFacts, context: ImportContext): Result | undefined {
  const id = sample.get('id')?.text()
  const epoch = sample.get('epoch')?.number() ?? 1
  if (id === undefined || !Number.isInteger(epoch) || epoch < 1) return undefined
  const { run_id, suite, file, target, provider, started } = facts
  const input = sample.get('input')?.value
  const expected = sample.get('target')?.value
  const test_hash = shortHash(canonicalJson({ input: input ?? null, target: expected ?? null }))
  const metadata = sample.get('metadata')?.value
  return {
    schema_version: SCHEMA_VERSION,
    run_id,
    index: 0,
    attempt_id: shortHash(canonicalJson([run_id, id, epoch])),
    test_hash,
    suite,
    file,
    line: 1,
    test_id: id,
    tags: [],
    metadata: isMapping(metadata) ? metadata : {},
    input: Array.isArray(input) ? input : [{ role: 'user', content: input ?? '' }],
    ...(expected === undefined ? {} : { expected_output: expected }),
    target,
    provider,
    trial: epoch,
    timestamp: timestampOf(sample.get('started_at')?.text()) ?? started,
    ...outcome(sample, context),
  }
}

/** For a log without times: results must have one. */
const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z'

/** A time in ISO 8601, as written. */
function timestampOf(text: string | undefined): string | undefined {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? text : undefined
}

/** A sample that ended on an error, or without a score, is an error and never a score of 0. */
function outcome(sample: Written, context: ImportContext) {
  const failure = sample.get('error')
  const checks = failure ? [] : scoreChecks(sample.get('scores') ?? sample.get('score'), context)
  const error = failure
    ? { code: 'target-error', stage: 'answer' as const, message: failure.get('message')?.text() ?? 'the sample failed' }
    : gradeError(checks)
  const { score, verdict } = error ? { score: null, verdict: 'error' as const } : judgeChecks(checks)
  const answer = sampleAnswer(sample)
  return {
    score,
    verdict,
    hits: checks.flatMap(({ hits }) => hits),
    misses: checks.flatMap(({ misses }) => misses),
    evaluator_results: checks,
    ...withoutNullish({ ...answer, error }),
    answer: failure ? null : answer.answer,
  }
}

function gradeError(checks: readonly EvaluatorResult[]): Result['error'] {
  if (checks.length === 0) return { code: 'nothing-grades', stage: 'grade', message: 'the sample has no score' }
  const unjudged = checks.find(({ error }) => error !== undefined)
  return (
    unjudged?.error && {
      code: unjudged.error.code,
      stage: 'grade',
      message: `${unjudged.name}: ${unjudged.error.message}`,
    }
  )
}
