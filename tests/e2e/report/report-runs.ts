import type { Result } from '../../../src/model/result.ts'
import type { RunReader } from '../../../src/model/run-reader.ts'
import { checkResult, runOf } from '../../support/recorded-run.ts'

const INFO = {
  run_id: '20261115-093000-abcd',
  started: '2026-11-15T09:30:00.000Z',
  assay_version: '0.1.0',
  git_commit: '0123456789abcdef',
  command: ['assay', 'eval', 'support', 'a b'],
}

/** A run with these results; each test counts once regardless of its trials. */
export function reportRun(results: readonly Partial<Result>[], tests = results.length): RunReader {
  return { ...runOf(results, { ...INFO, attempts: [] }), planned_tests: tests }
}

const refund = {
  suite: 'support',
  file: 'support/EVAL.yaml',
  line: 12,
  test_id: 'refund-policy',
  description: 'Says how long goods can be returned',
  criteria: 'Names 30 days and the receipt',
  tags: ['returns', 'policy'],
  input: [
    { role: 'system', content: 'You answer questions of customers.' },
    { role: 'user', content: 'How long can I return something?' },
  ],
  expected_output: 'You can return goods within 30 days, with the receipt.',
}

const rubric = (satisfied: boolean) =>
  checkResult({
    name: 'judged',
    type: 'rubrics',
    text: 'within 30 days; asks for the receipt',
    score: satisfied ? 1 : 0.25,
    passed: satisfied,
    weight: 2,
    line: 20,
    items: [
      {
        id: 'days',
        text: 'within 30 days',
        satisfied,
        weight: 3,
        required: true,
        passed: satisfied,
        reasoning: satisfied ? 'It says 30.' : 'It says 14.',
      },
      {
        id: 'receipt',
        text: 'asks for the receipt',
        satisfied: true,
        weight: 1,
        required: false,
        passed: true,
        reasoning: 'It does.',
      },
    ],
  })

const nested = checkResult({
  name: 'tone',
  type: 'composite',
  text: 'Polite, and short',
  line: 24,
  reasoning: 'weighted_average: (1 × 1 + 0 × 1) / 2',
  score: 0.5,
  evaluator_results: [
    checkResult({ name: 'polite', hits: ['says please'], line: 26 }),
    checkResult({ name: 'short', score: 0, misses: ['has 40 words, not 20'], line: 27 }),
  ],
})

const calls = [
  { tool: 'Grep', input: { pattern: 'return' }, output: 'policy.md', duration_ms: 120 },
  {
    tool: 'Read',
    raw_tool: 'read_file',
    input: { file_path: 'policy.md' },
    output: 'Goods: 30 days',
    duration_ms: 480,
  },
  { tool: 'Write', input: { file_path: 'x' }, error: 'not allowed', duration_ms: 15 },
]

function trial(trial: number, isRight: boolean): Partial<Result> {
  return {
    ...refund,
    trial,
    target: 'large',
    model: 'model-l',
    verdict: isRight ? 'pass' : 'fail',
    score: isRight ? 0.83 : 0.33,
    answer: isRight ? refund.expected_output : 'You can return goods within 14 days, with the receipt.',
    misses: isRight ? [] : ['within 30 days'],
    duration_ms: 2000 + trial * 100,
    cost_usd: 0.012,
    token_usage: { input: 900, output: 60 },
    evaluator_results: [rubric(isRight), nested],
    output_messages: [
      { role: 'assistant', content: 'Let me look.', tool_calls: calls },
      { role: 'assistant', content: 'Here it is.' },
    ],
    trace_summary: {
      event_count: 3,
      tool_names: ['Grep', 'Read', 'Write'],
      tool_calls_by_name: { Grep: 1, Read: 1, Write: 1 },
      error_count: 1,
      llm_call_count: 2,
    },
    workspace_path: '/workspaces/refund-policy-1',
  }
}

function plain(number: number, target: string): Partial<Result> {
  const verdict = (['pass', 'pass', 'pass', 'borderline', 'fail'] as const)[number % 5] ?? 'pass'
  const score = { pass: 1, borderline: 0.7, fail: 0.2 }[verdict]
  const misses = verdict === 'pass' ? [] : [`does not contain "word ${number}"`]
  return {
    suite: number % 2 === 0 ? 'support' : 'billing',
    file: number % 2 === 0 ? 'support/EVAL.yaml' : 'billing/EVAL.yaml',
    line: 30 + number,
    test_id: `question-${number}`,
    tags: number % 3 === 0 ? ['quick'] : ['slow', 'policy'],
    target,
    verdict,
    score,
    misses,
    evaluator_results: [
      checkResult({ name: number % 2 === 0 ? 'says-it' : 'is-json', score, passed: verdict === 'pass', misses }),
    ],
    duration_ms: (target === 'large' ? 1500 : 300) + number * 40,
    cost_usd: target === 'large' ? 0.01 : 0.001,
    token_usage: { input: 500 + number, output: 50 },
  }
}

const broken: Partial<Result> = {
  suite: 'billing',
  file: 'billing/EVAL.yaml',
  line: 4,
  test_id: 'no-answer',
  target: 'small',
  verdict: 'error',
  score: null,
  answer: null,
  error: { code: 'timeout', stage: 'answer', message: 'no answer within 60 s' },
}

/** Two targets, two suites, every verdict, and a flaky test with every optional field. */
export function richRun(): RunReader {
  const plains = Array.from({ length: 20 }, (_, number) => [plain(number, 'large'), plain(number, 'small')]).flat()
  return reportRun([trial(1, true), trial(2, false), trial(3, true), broken, ...plains], 42)
}

/** Tests of a typical large suite: multi-line answers, a transcript, three checks. */
export function largeRun(count: number): RunReader {
  const results = Array.from({ length: count }, (_, number) => ({
    ...trial(1, number % 3 !== 0),
    attempt_id: `attempt-${number}`,
    test_id: `test-${number}`,
    tags: [`tag-${number % 5}`],
    suite: `suite-${number % 10}`,
  }))
  // Looked up by number, because searching a list takes too long.
  const run = reportRun(results)
  const all = [...run.results()]
  return { ...run, result: id => all[Number(id.slice('attempt-'.length))] }
}
