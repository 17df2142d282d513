import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import type { RunReader } from '../../src/model/run-reader.ts'
import { agentskills } from '../../src/report/agentskills.ts'
import { checkResult, runOf } from '../support/recorded-run.ts'

const YES = checkResult({ text: 'Says yes', hits: ['yes'] })
const NO = checkResult({ text: 'Says no', score: 0, misses: ['no no'] })

const attempt = (test_id: string, target: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  target,
  evaluator_results: [YES, NO],
  ...more,
})

const filesOf = (run: RunReader) =>
  Object.fromEntries([...agentskills.render(run)].map(({ path = '', text }) => [path, [...text].join('')]))

const jsonOf = (run: RunReader, path: string) => JSON.parse(filesOf(run)[path] ?? 'null')

const TARGETS = [
  { name: 'new', skills: ['skills/csv'] },
  { name: 'plain', skills: [] },
]
const both = (more: Partial<Result> = {}) => [
  attempt('Top months', 'new', more),
  attempt('Top months', 'plain', { control: true, evaluator_results: [NO], ...more }),
]

describe('the layout of agentskills.io', () => {
  it('has one folder for each test and side, and no run folders', () => {
    expect(Object.keys(filesOf(runOf(both(), { targets: TARGETS }))).sort()).toEqual([
      'benchmark.json',
      ...['with_skill', 'without_skill'].flatMap(side =>
        ['grading.json', 'outputs/answer.md', 'timing.json'].map(file => `eval-top-months/${side}/${file}`),
      ),
    ])
  })

  it('grades assertions', () => {
    const run = runOf(both({ token_usage: { input: 3, output: 4 }, duration_ms: 1500 }), { targets: TARGETS })
    expect(jsonOf(run, 'eval-top-months/with_skill/grading.json')).toEqual({
      assertion_results: [
        { text: 'Says yes', passed: true, evidence: 'yes' },
        { text: 'Says no', passed: false, evidence: 'no no' },
      ],
      summary: { passed: 1, failed: 1, total: 2, pass_rate: 0.5 },
    })
    expect(jsonOf(run, 'eval-top-months/with_skill/timing.json')).toEqual({ total_tokens: 7, duration_ms: 1500 })
    expect(jsonOf(run, 'benchmark.json')).toEqual({
      run_summary: {
        with_skill: { pass_rate: { mean: 0.5 }, time_seconds: { mean: 1.5 }, tokens: { mean: 7 } },
        without_skill: { pass_rate: { mean: 0 }, time_seconds: { mean: 1.5 }, tokens: { mean: 7 } },
        delta: { pass_rate: 0.5, time_seconds: 0, tokens: 0 },
      },
    })
  })

  it('calls a baseline with skills the old skill', () => {
    const targets = [
      { name: 'new', skills: ['skills/csv'] },
      { name: 'plain', skills: ['skills/csv-1.0'] },
    ]
    expect(Object.keys(filesOf(runOf(both(), { targets })))).toContain('eval-top-months/old_skill/grading.json')
  })

  it('has the first trial, and says that there are more', () => {
    const run = runOf([...both({ answer: 'one' }), ...both({ answer: 'two', trial: 2 })], { targets: TARGETS })
    expect(filesOf(run)['eval-top-months/with_skill/outputs/answer.md']).toBe('one')
    expect(agentskills.notes?.(run, {})).toEqual([
      'with_skill is new, without_skill is plain',
      'left out: 2 further attempts, because the layout has one run for each test and side: trial 1 is written, benchmark.json is about it alone, and --format skill-creator has all trials',
    ])
  })

  it('claims no difference of different tests, and nothing of errors', () => {
    const error = {
      verdict: 'error',
      score: null,
      answer: null,
      evaluator_results: [] as Result['evaluator_results'],
      error: { code: 'timeout', stage: 'answer', message: 'x' },
    } as const
    const run = runOf([...both(), attempt('other', 'new'), attempt('other', 'plain', { control: true, ...error })], {
      targets: TARGETS,
    })
    expect(jsonOf(run, 'benchmark.json').run_summary).not.toHaveProperty('delta')
    expect(Object.keys(filesOf(run)).some(path => path.startsWith('eval-other/without_skill'))).toBe(false)
    expect(agentskills.notes?.(run, {})).toContain('left out: 1 attempt without an answer or a grade')
  })

  it('gives tests with similar ids folders of their own', () => {
    const run = runOf(
      ['A b', 'a-b', '日本', '../..'].map(id => attempt(id, 'new')),
      { targets: TARGETS },
    )
    const folders = [...new Set(Object.keys(filesOf(run)).map(path => path.split('/')[0]))]
    expect(folders).toEqual(['eval-a-b', 'eval-a-b-2', 'eval-test', 'eval-test-2', 'benchmark.json'])
  })
})
