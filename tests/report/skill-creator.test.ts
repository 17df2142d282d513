import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { configurationsOf } from '../../src/report/skill-creator/eval-runs.ts'
import { skillCreator } from '../../src/report/skill-creator.ts'
import { filesOf, jsonOf, readFolder, readReport, runScripts } from '../support/external/skill-creator.ts'
import { folderWith } from '../support/program.ts'
import { checkResult, runOf, triggerResult } from '../support/recorded-run.ts'

const YES = checkResult({ text: "Output contains 'yes'", hits: ["contains 'yes'"] })
const NO = checkResult({ text: "Output contains 'no'", score: 0, misses: ["does not contain 'no'"] })

/** An attempt with two checks, of which one has passed. */
const attempt = (test_id: string, more: Partial<Result> = {}): Partial<Result> => ({
  test_id,
  evaluator_results: [YES, NO],
  ...more,
})

const TWO = [{ name: 'skilled' }, { name: 'plain' }]

describe('the layout', () => {
  const run = runOf(
    [
      attempt('csv top months', { target: 'skilled' }),
      attempt('csv top months', { target: 'skilled', trial: 2 }),
      attempt('csv top months', { target: 'plain' }),
      attempt('other', { target: 'plain', suite: 'second', file: 'b.eval.yaml' }),
    ],
    { targets: TWO },
  )

  it('matches what the aggregator and the viewer read', () => {
    const runFolder = ['eval_metadata.json', 'grading.json', 'outputs/answer.md', 'outputs/metrics.json', 'timing.json']
    const expected = [
      'eval-1-csv-top-months/eval_metadata.json',
      'eval-2-other/eval_metadata.json',
      ...[
        'eval-1-csv-top-months/with_skill/run-1',
        'eval-1-csv-top-months/with_skill/run-2',
        'eval-1-csv-top-months/without_skill/run-1',
        'eval-2-other/without_skill/run-1',
      ].flatMap(folder => runFolder.map(file => `${folder}/${file}`)),
    ]
    expect(Object.keys(filesOf(run)).sort()).toEqual(expected.sort())
    expect(skillCreator.folder).toBe('iteration')
  })

  it('gives the scripts the same runs', async () => {
    const { aggregated, viewed } = await readReport(run)
    expect(Object.keys(aggregated)).toEqual(['with_skill', 'without_skill'])
    expect(
      aggregated['with_skill']?.map(({ eval_id, run_number, pass_rate }) => [eval_id, run_number, pass_rate]),
    ).toEqual([
      [1, 1, 0.5],
      [1, 2, 0.5],
    ])
    expect(viewed.map(({ id, prompt, outputs }) => [id, prompt, outputs['answer.md']])).toEqual([
      ['eval-1-csv-top-months-with_skill-run-1', 'Hi', 'Hello'],
      ['eval-1-csv-top-months-with_skill-run-2', 'Hi', 'Hello'],
      ['eval-1-csv-top-months-without_skill-run-1', 'Hi', 'Hello'],
      ['eval-2-other-without_skill-run-1', 'Hi', 'Hello'],
    ])
  })

  it('is read by a test helper that fails where a script would', async () => {
    const grading = 'eval-1-csv-top-months/with_skill/run-2/grading.json'
    const spoiled: [file: string, spoil: (json: Record<string, unknown>) => void, problem: string][] = [
      ['eval-2-other/eval_metadata.json', json => Object.assign(json, { eval_id: '2' }), 'eval_id is not an integer'],
      [
        'eval-2-other/without_skill/run-1/eval_metadata.json',
        json => delete json['eval_id'],
        'eval_id is not an integer',
      ],
      [grading, json => Object.assign(json, { timing: { total_duration_seconds: 1 } }), 'timing block'],
      [grading, json => delete (json['summary'] as Record<string, unknown>)['pass_rate'], 'pass_rate is not a number'],
      [grading, json => Object.assign(json['summary'] as object, { pass_rate: '50%' }), 'pass_rate is not a number'],
      [grading, json => Object.assign(json, { expectations: [] }), 'does not count the expectations'],
      ['eval-2-other/eval_metadata.json', json => Object.assign(json, { prompt: 'ü' }), "can't decode"],
    ]
    await Promise.all(
      spoiled.map(async ([file, spoil, problem]) => {
        const folder = folderWith(filesOf(run))
        const json = JSON.parse(readFileSync(join(folder, file), 'utf8'))
        spoil(json)
        writeFileSync(join(folder, file), JSON.stringify(json))
        const { code, stderr } = await runScripts(folder)
        expect({ problem, code }).toEqual({ problem, code: 1 })
        expect(stderr).toContain(problem)
      }),
    )
    expect(await readFolder(folderWith(filesOf(run)))).toHaveProperty('viewed')
  })
})

describe('grading.json', () => {
  const grading = (checks: Result['evaluator_results']) =>
    jsonOf(runOf([{ test_id: 'a', evaluator_results: checks }]), 'eval-1-a/with_skill/run-1/grading.json')

  it('has each check as a sentence under both names, their sum, and no timing', () => {
    const list = [
      { text: "Output contains 'yes'", passed: true, evidence: "contains 'yes'" },
      { text: "Output contains 'no'", passed: false, evidence: "does not contain 'no'" },
    ]
    expect(grading([YES, NO])).toEqual({
      expectations: list,
      assertion_results: list,
      summary: { passed: 1, failed: 1, total: 2, pass_rate: 0.5 },
      execution_metrics: {},
    })
  })

  it('leaves out trigger checks', () => {
    expect(grading([triggerResult('csv', true, false), YES])).toMatchObject({ summary: { total: 1, pass_rate: 1 } })
  })
})

describe('timing.json', () => {
  const timing = (facts: Partial<Result>) =>
    jsonOf(runOf([attempt('a', facts)]), 'eval-1-a/with_skill/run-1/timing.json')

  it('contains tokens and times', async () => {
    const facts = { token_usage: { input: 800, output: 20, cached: 500, reasoning: 10 }, duration_ms: 2345.6 }
    expect(timing(facts)).toEqual({ total_tokens: 820, duration_ms: 2345.6, total_duration_seconds: 2.346 })
    const { aggregated } = await readReport(runOf([attempt('a', facts)]))
    expect(aggregated['with_skill']).toEqual([
      { eval_id: 1, run_number: 1, pass_rate: 0.5, tokens: 820, time_seconds: 2.346 },
    ])
  })

  it('leaves out unknown values', () => {
    expect(timing({})).toEqual({})
    expect(timing({ token_usage: { input: 5 }, duration_ms: 0 })).toEqual({ duration_ms: 0, total_duration_seconds: 0 })
  })
})

describe('eval_metadata.json', () => {
  const METADATA = {
    eval_id: 1,
    eval_name: 'a',
    prompt: 'Hi',
    assertions: ["Output contains 'yes'", "Output contains 'no'"],
    test_id: 'a',
    suite: 'suite',
    file: 'EVAL.yaml',
  }

  it('identifies the test, and for a run also the attempt and its workspace', () => {
    const run = runOf([attempt('a', { trial: 2, workspace_path: '/tmp/assay-x' }), attempt('a', { trial: 3 })])
    expect(jsonOf(run, 'eval-1-a/eval_metadata.json')).toEqual(METADATA)
    const ofRun = { ...METADATA, target: 'default' }
    expect(jsonOf(run, 'eval-1-a/with_skill/run-2/eval_metadata.json')).toEqual({
      ...ofRun,
      trial: 2,
      workspace_path: '/tmp/assay-x',
    })
    expect(jsonOf(run, 'eval-1-a/with_skill/run-3/eval_metadata.json')).toEqual({ ...ofRun, trial: 3 })
  })

  const file = { type: 'file', value: 'a.csv', sha256: 'x' }
  it.each<[prompt: string, input: unknown[]]>([
    [
      'last',
      [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: 'last' },
      ],
    ],
    ['one\n\ntwo', [{ role: 'user', content: [{ type: 'text', value: 'one' }, file, { type: 'text', value: 'two' }] }]],
    [
      'before',
      [
        { role: 'user', content: 'before' },
        { role: 'user', content: [file] },
      ],
    ],
    [
      'q',
      [
        { role: 'user', content: 'q' },
        { role: 'assistant', tool_calls: [] },
        { role: 'system', content: 's' },
      ],
    ],
    ['', [{ role: 'system', content: 'only' }]],
  ])('the prompt is the last user text: %j', (prompt, input) => {
    expect(jsonOf(runOf([attempt('a', { input })]), 'eval-1-a/eval_metadata.json')).toMatchObject({ prompt })
  })
})

describe('attempts that are left out', () => {
  const error = (code: string, stage: 'answer' | 'grade') => ({
    verdict: 'error' as const,
    score: null,
    error: { code, stage, message: 'why' },
  })
  const run = runOf(
    [
      attempt('a', { target: 'skilled', answer: null, evaluator_results: [], ...error('timeout', 'answer') }),
      attempt('a', { target: 'plain' }),
      attempt('b', { target: 'skilled' }),
      attempt('b', { target: 'plain', ...error('judge-reply', 'grade') }),
      attempt('b', { target: 'plain', trial: 2, ...error('judge-reply', 'grade') }),
      attempt('c', { target: 'skilled', evaluator_results: [triggerResult('csv', true, true)] }),
    ],
    { targets: TWO },
  )

  it('are those without a grade, which is not a score of 0', async () => {
    expect(Object.keys(filesOf(run)).filter(path => path.endsWith('grading.json'))).toEqual([
      'eval-1-a/without_skill/run-1/grading.json',
      'eval-2-b/with_skill/run-1/grading.json',
    ])
    const { aggregated } = await readReport(run)
    expect(Object.values(aggregated).map(runs => runs.map(({ pass_rate }) => pass_rate))).toEqual([[0.5], [0.5]])
  })

  it('are counted with their reasons, and the targets are named', () => {
    expect(skillCreator.notes?.(run, {})).toEqual([
      'with_skill is skilled, without_skill is plain',
      'left out: 3 attempts without an answer or a grade (1 timeout, 2 judge-reply)',
      'left out: 1 attempt whose answer no check grades',
      expect.stringMatching(/^The first folder has no with_skill run, .* the sign of its delta is reversed\.$/),
    ])
  })

  it('cause a correct warning if the aggregator sees the other side first', async () => {
    expect(Object.keys((await readReport(run)).aggregated)).toEqual(['without_skill', 'with_skill'])
    const later = runOf([attempt('a', { target: 'skilled' }), attempt('b', { target: 'plain' })], { targets: TWO })
    expect(Object.keys((await readReport(later)).aggregated)).toEqual(['with_skill', 'without_skill'])
    expect(skillCreator.notes?.(later, {})).toEqual(['with_skill is skilled, without_skill is plain'])
    const tens = Array.from({ length: 12 }, (_, index) =>
      attempt(`t${index}`, { target: index === 9 ? 'plain' : 'skilled' }),
    )
    expect(skillCreator.notes?.(runOf(tens, { targets: TWO }), {})).toHaveLength(1)
    expect(skillCreator.notes?.(runOf(tens.slice(1), { targets: TWO }), {})).toHaveLength(1)
    const tenth = tens.map((result, index) => ({ ...result, target: index === 0 ? 'plain' : 'skilled' }))
    expect(skillCreator.notes?.(runOf(tenth, { targets: TWO }), {})).toHaveLength(2)
  })

  it('come with a note if the run is partial', () => {
    const begun = { ...runOf([attempt('a')], { targets: [], attempts: [], stopped: 'signal' }), planned: 4 }
    expect(skillCreator.notes?.(begun, {})).toContain('partial run: interrupted, 1 of 4 attempts made')
  })

  it('leave no files if nothing remains', () => {
    expect(filesOf(runOf([attempt('a', error('timeout', 'answer'))]))).toEqual({})
    expect(filesOf(runOf([]))).toEqual({})
  })
})

describe('targets', () => {
  const three = runOf(
    ['a', 'b', 'c'].map(target => attempt('t', { target, answer: target })),
    { targets: ['a', 'b', 'c'].map(name => ({ name })) },
  )
  const sides = (targets?: string[]) =>
    Object.fromEntries(
      Object.entries(filesOf(three, { targets }))
        .filter(([path]) => path.endsWith('answer.md'))
        .map(([path, answer]) => [path.split('/')[1], answer]),
    )

  it('require a choice if there are more than two', () => {
    expect(skillCreator.problem?.(three, {})).toBe(
      'This run has 3 targets, but skill-creator compares two: choose them with --target, the one with the skill first. Targets: a, b, c.',
    )
    expect(skillCreator.problem?.(three, { targets: ['a', 'b', 'c'] })).toMatch(/^This run has 3 targets/)
  })

  it('keep the order of --target', () => {
    expect(skillCreator.problem?.(three, { targets: ['c', 'a'] })).toBeUndefined()
    expect(sides(['c', 'a'])).toEqual({ with_skill: 'c', without_skill: 'a' })
    expect(sides(['b'])).toEqual({ with_skill: 'b' })
    expect(sides(['b', 'b'])).toEqual({ with_skill: 'b' })
  })

  it('are rejected if the run does not have them', () => {
    expect(skillCreator.problem?.(three, { targets: ['a', 'd'] })).toBe(
      'This run has no target d. Its targets: a, b, c.',
    )
  })

  it('take the first of the plan as with_skill, also without results', () => {
    const half = runOf([attempt('t', { target: 'plain' })], { targets: TWO })
    expect(Object.keys(filesOf(half))).toContain('eval-1-t/without_skill/run-1/grading.json')
    const alone = runOf([attempt('t', { target: 'plain' })])
    expect(Object.keys(filesOf(alone))).toContain('eval-1-t/with_skill/run-1/grading.json')
  })
})

it('takes the control arm for the side without the skill', () => {
  const run = runOf([{ target: 'plain', control: true }, { target: 'skilled' }])
  expect([...configurationsOf(run, {})]).toEqual([
    ['skilled', 'with_skill'],
    ['plain', 'without_skill'],
  ])
})
