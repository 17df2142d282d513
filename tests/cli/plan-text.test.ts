import { describe, expect, it } from 'vitest'
import { planText } from '../../src/cli/terminal/plan-text.ts'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import { planRun } from '../../src/operations/evaluate.ts'
import { planSummary } from '../../src/operations/run/plan-summary.ts'
import { providers } from '../../src/providers/index.ts'
import { evalFolder } from '../support/evaluation.ts'

const TARGETS = ['default', 'judge'].map(name => ({ name, provider: 'mock', response: 'ok' }))
const plain = { id: 'plain', input: 'Hi' }
const byCriteria = { id: 'by-criteria', input: 'Hi', assert: [] }
const NESTED = {
  id: 'nested',
  input: 'Hi',
  assert: [
    { type: 'llm_judge' },
    {
      type: 'composite',
      evaluators: [
        { type: 'contains', value: 'ok' },
        { type: 'rubrics', criteria: 'Is kind' },
        {
          type: 'composite',
          name: 'inner',
          evaluators: [
            { type: 'llm_judge', prompt: 'Well? {{answer}}' },
            { type: 'contains', value: 'ok' },
          ],
        },
      ],
    },
  ],
}

function planOf(tests: readonly object[], selection: object = {}) {
  return planIn(evalFolder(tests, TARGETS), selection)
}

async function planIn(cwd: string, selection: object = {}) {
  const world = { host: nodeHost(cwd), evaluators, providers }
  const { plan, diagnostics } = await planRun({ paths: ['.'], ...selection }, world)
  if (!plan) throw new Error(JSON.stringify(diagnostics))
  return plan
}

describe('the plan', () => {
  it('counts one judge call for each check that a model judges, at any depth', async () => {
    const plan = await planOf([plain, byCriteria, NESTED], { trials: 2, targets: ['default', 'judge'] })
    expect(planText(planSummary(plan))).toBe(`suite  target   provider  tests  attempts  judge calls
suite  default  mock          3         6            8
suite  judge    mock          3         6            8

12 attempts, at least 16 judge calls
`)
  })

  it('has the judge calls per suite and in total in JSON', async () => {
    const plan = await planOf([byCriteria, NESTED])
    expect(planSummary(plan)).toMatchObject({ judge_calls: 4, suites: [{ judge_calls: 4 }] })
    const without = planSummary(await planOf([plain]))
    expect(without).toMatchObject({ judge_calls: 0, suites: [{ judge_calls: 0 }] })
  })

  it('counts only the judge calls of its shard', async () => {
    const cwd = evalFolder([byCriteria, { ...byCriteria, id: 'another' }, NESTED], TARGETS)
    const shards = await Promise.all([1, 2].map(index => planIn(cwd, { shard: { index, of: 2 } })))
    for (const plan of shards) {
      const ids = plan.attempts.map(({ test }) => test.id)
      const calls = ids.reduce((sum, id) => sum + (id === 'nested' ? 3 : 1), 0)
      expect(planSummary(plan).judge_calls).toBe(calls)
    }
    expect(shards.flatMap(({ attempts }) => attempts)).toHaveLength(3)
  })

  it('omits judge calls if no check needs a judge', async () => {
    expect(planText(planSummary(await planOf([plain])))).toBe(
      'suite  target   provider  tests  attempts\nsuite  default  mock          1         1\n\n1 attempt\n',
    )
  })
})
