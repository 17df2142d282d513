// Writes the same two lines per answer as a run, byte for byte but for the digits of hashes and times.
import { mkdtempSync, openSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'

const HASH = '0123456789abcdef'

/** Whether a text passes a check, in words for people, and what was found. */
const CHECKS = {
  contains: value => [text => text.includes(value), `Output contains '${value}'`, `contains "${value}"`],
  icontains: value => [
    text => text.toLowerCase().includes(value.toLowerCase()),
    `Output contains, ignoring case, '${value}'`,
    `contains "${value}"`,
  ],
  regex: value => [text => new RegExp(value).test(text), `Output matches regex: ${value}`, `matches /${value}/`],
}

function check({ type, value, weight = 1, name = type }, answer) {
  const [passes, text, words] = CHECKS[type](value)
  const passed = passes(answer)
  const found = passed ? { hits: [words], misses: [] } : { hits: [], misses: [words] }
  return { name, type, text, score: passed ? 1 : 0, weight, required: null, passed, ...found, line: 1, duration_ms: 0 }
}

/** Opens the two files of a run of a suite. */
export function openRecords(runs, path) {
  const folder = mkdtempSync(`${runs}-baseline-`)
  return {
    answers: openSync(join(folder, 'answers.jsonl'), 'a'),
    results: openSync(join(folder, 'results.jsonl'), 'a'),
    suite: path.endsWith('.jsonl') ? basename(path, '.jsonl') : 'many-tests',
    path,
  }
}

export function record(files, index, test, text, evaluator_results = test.assert.map(one => check(one, text))) {
  const attempt_id = index.toString(16).padStart(16, '0')
  const timestamp = new Date().toISOString()
  const answer = {
    attempt_id,
    request_id: HASH,
    test_id: test.id,
    target: 'default',
    trial: 1,
    timestamp,
    answer: { text, duration_ms: 0, answer_number: 1 },
  }
  writeSync(files.answers, `${JSON.stringify(answer)}\n`)
  const weights = evaluator_results.reduce((sum, { weight }) => sum + weight, 0)
  const score = evaluator_results.reduce((sum, one) => sum + one.score * one.weight, 0) / weights
  const result = {
    schema_version: 1,
    run_id: '20260101-000000-base',
    index,
    attempt_id,
    test_hash: HASH,
    target_hash: HASH,
    input_hash: HASH,
    checks_hash: HASH,
    suite: files.suite,
    file: files.path,
    line: 1,
    test_id: test.id,
    criteria: test.criteria,
    tags: [],
    metadata: {},
    input: [{ role: 'user', content: test.input }],
    target: 'default',
    provider: 'mock',
    trial: 1,
    timestamp,
    score,
    verdict: score >= 0.8 ? 'pass' : 'fail',
    hits: evaluator_results.flatMap(({ hits }) => hits),
    misses: evaluator_results.flatMap(({ misses }) => misses),
    answer: text,
    answer_number: 1,
    duration_ms: 0,
    evaluator_results,
  }
  writeSync(files.results, `${JSON.stringify(result)}\n`)
}
