// Writes the same two lines per answer as a run.
import { writeSync } from 'node:fs'

export function check({ type, value, weight = 1, name = type }, text) {
  const passed =
    type === 'regex'
      ? new RegExp(value).test(text)
      : type === 'icontains'
        ? text.toLowerCase().includes(value.toLowerCase())
        : text.includes(value)
  const words = `contains '${value}'`
  const found = passed ? { hits: [words], misses: [] } : { hits: [], misses: [words] }
  const score = passed ? 1 : 0
  return {
    name,
    type,
    text: `Output ${words}`,
    score,
    weight,
    required: null,
    passed,
    ...found,
    line: 1,
    duration_ms: 0,
  }
}

export function record(files, index, test, text, evaluator_results = test.assert.map(one => check(one, text))) {
  const attempt_id = `attempt-${index}`
  const timestamp = new Date().toISOString()
  const common = { attempt_id, test_id: test.id, target: 'default', trial: 1, timestamp }
  writeSync(files.answers, `${JSON.stringify({ ...common, answer: { text, duration_ms: 0 } })}\n`)
  const weights = evaluator_results.reduce((sum, { weight }) => sum + weight, 0)
  const score = evaluator_results.reduce((sum, one) => sum + one.score * one.weight, 0) / weights
  const result = {
    schema_version: 1,
    run_id: 'baseline',
    index,
    ...common,
    suite: 'many-tests',
    file: 'EVAL.yaml',
    line: 1,
    criteria: test.criteria,
    tags: [],
    metadata: {},
    input: [{ role: 'user', content: test.input }],
    provider: 'mock',
    score,
    verdict: score >= 0.8 ? 'pass' : 'fail',
    hits: evaluator_results.flatMap(({ hits }) => hits),
    misses: evaluator_results.flatMap(({ misses }) => misses),
    answer: text,
    evaluator_results,
  }
  writeSync(files.results, `${JSON.stringify(result)}\n`)
}
