import type { EvaluatorResult, Trigger } from '../../src/model/evaluator-result.ts'
import type { Result } from '../../src/model/result.ts'
import type { RunInfo } from '../../src/model/run-info.ts'
import { factsOf, type RunReader, testKey } from '../../src/model/run-reader.ts'
import { verdictOf } from '../../src/model/verdict.ts'
import type { Reporter, ReportOptions } from '../../src/report/reporter.ts'

/** A run with these results; missing fields are those of a passed test. */
export function runOf(results: readonly Partial<Result>[], info?: Partial<RunInfo>): RunReader {
  const full = results.map(resultWith)
  return {
    info: info as RunInfo | undefined,
    planned: full.length,
    planned_tests: new Set(full.map(result => testKey(factsOf(result)))).size,
    facts: () => full.map(result => factsOf(result)),
    result: id => full.find(({ attempt_id }) => attempt_id === id),
    results: () => full,
  }
}

/** A result with these fields; missing fields are those of a passed test. */
export function resultWith(result: Partial<Result>, index = 0): Result {
  return {
    schema_version: 1,
    run_id: 'run',
    index,
    attempt_id: `attempt-${index}`,
    suite: 'suite',
    file: 'EVAL.yaml',
    line: 1,
    test_id: `t${index}`,
    tags: [],
    metadata: {},
    input: [{ role: 'user', content: 'Hi' }],
    target: 'default',
    provider: 'mock',
    trial: 1,
    timestamp: '2026-11-15T09:30:00.000Z',
    score: 1,
    verdict: 'pass',
    hits: [],
    misses: [],
    answer: 'Hello',
    evaluator_results: [],
    ...result,
  }
}

/** A check result with these fields; missing fields are those of a passed check. */
export function checkResult(check: Partial<EvaluatorResult> = {}): EvaluatorResult {
  const { score = 1 } = check
  return {
    name: 'check',
    type: 'contains',
    text: "Output contains 'x'",
    score,
    weight: 1,
    required: null,
    passed: score === 1,
    hits: [],
    misses: [],
    line: 1,
    duration_ms: 0,
    ...check,
  }
}

/** The result of a trigger check; `triggered` is undefined if the transcript is missing. */
export function triggerResult(skill: string, should_trigger: boolean, triggered?: boolean): EvaluatorResult {
  const trigger: Trigger = { skill, should_trigger, ...(triggered === undefined ? {} : { triggered }) }
  if (triggered !== undefined)
    return checkResult({ type: 'trigger_judge', trigger, score: Number(should_trigger === triggered) })
  return checkResult({
    type: 'trigger_judge',
    trigger,
    score: null,
    error: { code: 'no-transcript', message: 'text only' },
  })
}

/** The trials of a test with these scores; null is an error. */
export function trialsOf(
  test_id: string,
  scores: readonly (number | null)[],
  more: Partial<Result> = {},
): Partial<Result>[] {
  return scores.map((score, index) => ({
    test_id,
    trial: index + 1,
    score,
    verdict: verdictOf(score, false),
    ...(score === null ? { answer: null, error: { code: 'timeout', stage: 'answer', message: 'took too long' } } : {}),
    ...more,
  }))
}

/** Renders a report that is one file. */
export function renderReport(reporter: Reporter, run: RunReader, options?: ReportOptions): string {
  return [...reporter.render(run, options)].flatMap(({ text }) => [...text]).join('')
}
