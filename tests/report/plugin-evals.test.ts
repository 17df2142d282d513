import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { type AggregateResult, aggregateResultSchema } from '../../src/model/aggregate-result.ts'
import type { Result } from '../../src/model/result.ts'
import type { RunReader } from '../../src/model/run-reader.ts'
import { readRun } from '../../src/record/read-run.ts'
import { estimatesOf } from '../../src/report/outcome/estimates.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { pluginEvals } from '../../src/report/plugin-evals.ts'
import { folderWith } from '../support/program.ts'
import { checkResult, renderReport, runOf, trialsOf, triggerResult } from '../support/recorded-run.ts'

const write = (run: RunReader): AggregateResult =>
  aggregateResultSchema().parse(JSON.parse(renderReport(pluginEvals, run)))

const CONTROL = { target: 'plain', control: true } as const

/** Trials of a test with one check each, on the target and on its control. */
function both(
  id: string,
  first: readonly (number | null)[],
  second: readonly (number | null)[],
  more: Partial<Result> = {},
) {
  const graded = (results: readonly Partial<Result>[]) =>
    results.map(each => ({
      ...each,
      ...more,
      evaluator_results:
        typeof each.score === 'number' ? [checkResult({ score: each.score, passed: each.score >= 0.8 })] : [],
    }))
  return [...graded(trialsOf(id, first, { target: 'skilled' })), ...graded(trialsOf(id, second, CONTROL))]
}

/** Gives each attempt an id of its own, as records have it. */
const runWith = (results: readonly Partial<Result>[], info?: object) =>
  runOf(
    results.map((each, index) => ({ ...each, index, attempt_id: `a${index}`, test_hash: 'hash' })),
    info as never,
  )

/** A run that was written and read again. */
async function readAgain(run: RunReader): Promise<RunReader> {
  const folder = folderWith({ 'aggregate-result.json': renderReport(pluginEvals, run) })
  const host = nodeHost(folder, {})
  return readRun({ folder, results: `${folder}/aggregate-result.json` }, host)
}

describe('an aggregate-result.json of a run', () => {
  it('has the tests as cases and the attempts as runs of both arms', () => {
    const file = write(runWith([...both('a', [1, 1], [0, 1]), ...both('b', [1, 0], [0, 0])]))
    expect(file).toMatchObject({
      schemaVersion: 1,
      partial: false,
      suite: { ablation: 'with-without', threshold: 0.8 },
    })
    expect(file.claudeVersion).toMatch(/^assay /)
    expect(file.cases.map(({ name, aggregates }) => [name, aggregates])).toEqual([
      ['a', { score: 1, passRate: 1, scoreWithout: 0.5, passRateWithout: 0.5, delta: 0.5 }],
      ['b', { score: 0.5, passRate: 0.5, scoreWithout: 0, passRateWithout: 0, delta: 0.5 }],
    ])
    expect(file.aggregates).toEqual({
      casesTotal: 2,
      casesPassed: 1,
      overallScore: 0.75,
      overallPassRate: 0.75,
      meanDelta: 0.5,
    })
    expect(file.assay?.targets).toEqual({ with: 'skilled', without: 'plain' })
  })

  it('claims no score and no difference from an error', () => {
    const file = write(
      runWith([
        ...both('a', [1, null], [0, 0]),
        ...both('b', [1, 1], [null, null]),
        ...both('c', [null, null], [1, 1]),
      ]),
    )
    expect(file.partial).toBe(true)
    expect(file.partialReason).toBeUndefined()
    expect(file.cases.map(({ aggregates }) => aggregates)).toEqual([
      { score: 1, passRate: 1, passRateWithout: 0 },
      { score: 1, passRate: 1 },
      { passRateWithout: 1 },
    ])
    expect(file.cases[0]?.advisories).toEqual([
      '1 run with the plugin ended with an error: not part of the figures, no delta is given',
    ])
    expect(file.cases[0]?.arms.with[1]).toMatchObject({
      score: 0,
      passed: false,
      error: 'timeout: took too long',
      graders: [],
    })
    expect(file.aggregates).toEqual({ casesTotal: 3, casesPassed: 1, overallScore: 1, overallPassRate: 1 })
  })

  it('names the reason if the run was interrupted or its budget was spent', () => {
    const info = {
      targets: [],
      options: {},
      attempts: [],
      root: '/r',
      run_id: 'r',
      assay_version: '1.2.3',
      started: '2026-11-15T09:30:00.000Z',
    }
    const partial = (stopped: string) => write({ ...runWith(both('a', [1], [0]), { ...info, stopped }), planned: 5 })
    expect(partial('signal')).toMatchObject({
      partial: true,
      partialReason: 'interrupted',
      claudeVersion: 'assay 1.2.3',
    })
    expect(partial('budget')).toMatchObject({ partial: true, partialReason: 'cost_ceiling' })
    expect(partial('fail-fast').partialReason).toBeUndefined()
    expect(partial('signal').assay).toMatchObject({ not_made: 3, partial: 'interrupted, 2 of 5 attempts made' })
  })

  it('maps the types of checks back, and marks those that are not scored or not for both arms', () => {
    const types = ['regex', 'tool_used', 'tool_order', 'file', 'rubrics', 'llm_judge', 'code_judge']
    const checks = types.map(type => checkResult({ name: type, type }))
    const only = checkResult({ name: 'fired', type: 'trigger_judge', weight: 0 })
    const file = write(
      runWith([
        { test_id: 'a', target: 'skilled', evaluator_results: [...checks, only] },
        {
          test_id: 'a',
          ...CONTROL,
          evaluator_results: [...checks, { ...only, score: null, passed: false, not_applicable: true }],
        },
      ]),
    )
    const [each] = file.cases
    expect(each?.graders.map(({ type }) => type)).toEqual([
      'regex',
      'tool_used',
      'tool_order',
      'file_exists',
      'llm',
      'llm',
      'code_judge',
      'trigger_judge',
    ])
    expect(each?.arms.with[0]?.graders.at(-1)).toMatchObject({ name: 'fired', withOnly: true, scored: false })
    expect(each?.arms.without?.[0]?.graders).toHaveLength(types.length)
    expect(each?.aggregates.delta).toBe(0)
  })

  it('gives no difference of arms that are graded by different checks', () => {
    const only = checkResult({ name: 'only', score: 0 })
    const file = write(
      runWith([
        { test_id: 'a', target: 'skilled', score: 0.5, verdict: 'fail', evaluator_results: [checkResult(), only] },
        {
          test_id: 'a',
          ...CONTROL,
          evaluator_results: [checkResult(), { ...only, score: null, not_applicable: true }],
        },
      ]),
    )
    expect(file.cases[0]?.aggregates).toEqual({ score: 0.5, passRate: 0, passRateWithout: 1 })
    expect(file.cases[0]?.advisories).toEqual(['the arms are graded by different checks: no delta is given'])
  })

  it('says which figures are not known', () => {
    const [known, unknown] =
      write(
        runWith([
          {
            test_id: 'a',
            cost_usd: 0.5,
            duration_ms: 1500,
            judge_usage: { calls: 2, cost_usd: 0.25 },
            evaluator_results: [checkResult()],
          },
          { test_id: 'a', trial: 2, judge_usage: { calls: 2 }, evaluator_results: [checkResult()] },
        ]),
      ).cases[0]?.arms.with ?? []
    expect(known).toMatchObject({ costUsd: 0.75, judgeCostUsd: 0.25, durationSeconds: 1.5 })
    expect(known?.assay?.unknown).toEqual(['turns'])
    expect(unknown).not.toHaveProperty('durationSeconds')
    expect(unknown?.assay?.unknown).toEqual(['turns', 'costUsd', 'judgeCostUsd'])
  })

  it('needs one threshold and two targets', () => {
    const different = runWith([{ test_id: 'a', threshold: 1 }, { test_id: 'b' }])
    expect(pluginEvals.problem?.(different, {})).toContain('different thresholds (1, the default 0.8)')
    const three = runWith(['x', 'y', 'z'].map(target => ({ test_id: 'a', target })))
    expect(pluginEvals.problem?.(three, {})).toContain('plugin-evals compares two: choose them with --target')
    expect(pluginEvals.problem?.(three, { targets: ['x', 'z'] })).toBeUndefined()
  })
})

describe('a file that was written and is read again', () => {
  it.each<[name: string, results: readonly Partial<Result>[]]>([
    ['arms', [...both('a', [1, 1], [0, 1]), ...both('b', [1, 0.7], [0.3, 0])]],
    ['errors', [...both('a', [1, null], [0, 0]), ...both('b', [null, null], [1, 1])]],
    [
      'a threshold',
      both('a', [0.85, 1], [0.8, 1], { threshold: 1 }).map(each => ({
        ...each,
        verdict: each.score === 1 ? 'pass' : 'fail',
      })),
    ],
    [
      'clusters',
      [...both('a', [1], [0], { metadata: { cluster: 'x' } }), ...both('b', [1], [1], { metadata: { cluster: 'x' } })],
    ],
    [
      'a missed required check',
      [
        {
          test_id: 'a',
          score: 0.5,
          verdict: 'fail',
          evaluator_results: [checkResult(), checkResult({ name: 'must', score: 0, required: 1 })],
        },
      ],
    ],
    [
      'reruns',
      [
        ...trialsOf('a', [0, 1]).map((each, index) => ({
          ...each,
          evaluator_results: [checkResult({ score: index })],
          ...(index ? { rerun: 1, added: true as const } : {}),
        })),
      ],
    ],
    [
      'triggers',
      [
        { test_id: 'a', evaluator_results: [triggerResult('csv', true, true)] },
        { test_id: 'b', score: 0, verdict: 'fail', evaluator_results: [triggerResult('csv', false, true)] },
      ],
    ],
    [
      'checks without weight that failed',
      [
        {
          test_id: 'a',
          evaluator_results: [
            checkResult(),
            checkResult({ name: 'free', weight: 0, score: null, passed: false, error: { code: 'x', message: 'y' } }),
          ],
        },
      ],
    ],
    [
      'judges of unknown cost',
      [{ test_id: 'a', cost_usd: 0.01, judge_usage: { calls: 3 }, evaluator_results: [checkResult()] }],
    ],
  ])('has the same figures: %s', async (_, results) => {
    const run = runWith(results)
    const again = await readAgain(run)
    const figures = (reader: RunReader) => {
      const outcome = outcomeOf(reader)
      const tests = outcome.tests.map(({ results: _results, ...test }) => test)
      return {
        tests,
        counts: outcome.counts,
        triggers: outcome.triggers,
        not_run: outcome.not_run,
        estimates: estimatesOf(outcome.tests),
      }
    }
    expect(figures(again)).toEqual(figures(run))
  })
})
