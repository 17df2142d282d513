import { describe, expect, it } from 'vitest'
import { conclude } from '../../src/cli/conclusion.ts'
import { liveProgress } from '../../src/cli/terminal/live-progress.ts'
import { nodeHost } from '../../src/host/node.ts'
import { PLAIN } from '../../src/lib/palette.ts'
import type { JudgeUsage, Result } from '../../src/model/result.ts'
import { factsOf, type RunReader } from '../../src/model/run-reader.ts'
import { json } from '../../src/report/json.ts'
import { outcomeOf } from '../../src/report/outcome/run-outcome.ts'
import { PLAIN_TERMINAL } from '../support/in-process.ts'

type Spent = readonly [cost_usd: number | undefined, judge_usage?: JudgeUsage]

/** A run of passed attempts with these costs. */
function runOf(spent: readonly Spent[]): RunReader {
  const results = spent.map(([cost_usd, judge_usage], index) => {
    const names = { attempt_id: `${index}`, suite: 's', file: 'EVAL.yaml', test_id: `t${index}`, target: 't' }
    return {
      ...names,
      tags: [],
      metadata: {},
      score: 1,
      verdict: 'pass',
      evaluator_results: [],
      cost_usd,
      judge_usage,
    } as unknown as Result
  })
  return {
    info: undefined,
    planned: results.length,
    planned_tests: results.length,
    facts: () => results.map(result => factsOf(result)),
    result: id => results[Number(id)],
    results: () => results,
  }
}

const TWO_CALLS: JudgeUsage = { calls: 2, input: 1000, output: 100, cost_usd: 0.0015 }

describe('the cost of a run', () => {
  const lastLine = (...spent: Spent[]) => conclude(runOf(spent), { quiet: true }, PLAIN_TERMINAL).text.trim()

  it.each<[spent: Spent[], text: string]>([
    [[[undefined]], '1 test: 1 passed'],
    [[[0.01], [0.0023]], '2 tests: 2 passed, cost $0.0123'],
    [
      [
        [0.01, TWO_CALLS],
        [0.0023, TWO_CALLS],
      ],
      '2 tests: 2 passed, cost $0.0123, judges $0.0030 (4 calls)',
    ],
    [[[undefined, TWO_CALLS], [undefined]], '2 tests: 2 passed, judges $0.0015 (2 calls)'],
    [[[0.01, { calls: 1 }]], '1 test: 1 passed, cost $0.0100, 1 judge call'],
    [
      [
        [undefined, { calls: 3 }],
        [undefined, TWO_CALLS],
      ],
      '2 tests: 2 passed, judges $0.0015 (5 calls)',
    ],
    [[[0.000012, { calls: 1, cost_usd: 0 }]], '1 test: 1 passed, cost $0.000012, judges $0 (1 call)'],
  ])('%j', (spent, text) => {
    expect(lastLine(...spent)).toBe(text)
  })

  it('is in the outcome and in JSON, with judges separate from the target', () => {
    const run = runOf([[0.25, TWO_CALLS], [0.5, { calls: 1 }], [undefined]])
    expect(outcomeOf(run)).toMatchObject({ cost_usd: 0.75, judge_usage: { calls: 3, cost_usd: 0.0015 } })
    expect(JSON.parse([...json.render(run)].flatMap(({ text }) => [...text]).join('')).summary.judge_usage).toEqual({
      calls: 3,
      cost_usd: 0.0015,
    })
    expect(outcomeOf(runOf([[0.25]])).judge_usage).toBeUndefined()
    expect(outcomeOf(runOf([[0.25, { calls: 1 }]])).judge_usage).toEqual({ calls: 1 })
  })
})

it('the live frame includes the cost of judges', async () => {
  let screen = ''
  const write = (text: string) => {
    screen += text
  }
  const progress = liveProgress(2, PLAIN, {
    write,
    columns: () => 100,
    rows: () => 30,
    onResize: () => () => {},
    clock: nodeHost().clock,
  })
  for (const result of runOf([
    [0.01, TWO_CALLS],
    [undefined, TWO_CALLS],
  ]).results())
    progress.result(result)
  await expect.poll(() => screen).toContain('2/2  2 pass  $0.0130  ')
  progress.end()
})
