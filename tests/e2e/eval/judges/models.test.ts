import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalFolder, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { type Call, type Server, serve } from '../../../support/servers/server.ts'

interface JudgeRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly temperature?: number
  readonly response_format?: object
}

/** The reply of a judge: an item is satisfied if the answer contains its text. */
function reply({ body }: Call): string {
  const { messages }: JudgeRequest = JSON.parse(body)
  const text = messages[1]?.content ?? ''
  const [, answer = ''] = /<<<data-\w+\n([\s\S]*)\ndata-\w+>>>/.exec(text) ?? []
  const items = [...text.matchAll(/^- (\S+): (.*) \(satisfied or not\)$/gm)]
  return JSON.stringify({
    items: items.map(([, id, words = '']) => ({ id, satisfied: answer.includes(words), reasoning: 'looked' })),
  })
}

describe('model judges', () => {
  let server: Server
  let status = 200

  beforeAll(async () => {
    server = await serve((call, response) => {
      response.statusCode = status
      const message = { role: 'assistant', content: reply(call) }
      const usage = { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 }
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          id: '1',
          created: 1,
          model: 'm-1',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage,
        }),
      )
    })
  })

  afterAll(() => server.close())

  const judge = (name: string, more: object = {}) => ({
    name,
    provider: 'openai_compatible',
    model: name,
    base_url: `${server.url}/v1`,
    price: { input: 1, output: 10 },
    retries: 0,
    ...more,
  })
  const mock = { name: 'default', provider: 'mock', response: 'yes and no' }
  const byCriteria = (id: string, criteria: string) => ({ id, criteria, input: 'Well?', assert: [] })
  /** The judge of each call, in order. */
  const judges = (from: number) => server.calls.slice(from).map(({ body }) => JSON.parse(body).model)

  it('are asked once for each vote, also with a cache', async () => {
    const assert = [{ type: 'rubrics', criteria: 'yes', votes: 3 }]
    const cwd = evalFolder([{ id: 'a', criteria: 'Says it', input: 'Well?', assert }], [mock, judge('judge')])
    const before = server.calls.length
    const { results } = await evaluate(cwd, ['--cache'])
    expect(server.calls.length - before).toBe(3)
    expect(results.get('a')).toMatchObject({
      judge_usage: { calls: 3 },
      evaluator_results: [{ items: [{ votes: [{ satisfied: true }, { satisfied: true }, { satisfied: true }] }] }],
    })
    await evaluate(cwd, ['--cache'])
    expect(server.calls.length - before).toBe(3)
    expect((await assay(['explain', 'latest', 'a'], { cwd })).stdout).toContain('+ satisfied (3 of 3 votes): yes')
  })

  it('grade tests by their criteria, and their usage is counted separately', async () => {
    const cwd = evalFolder([byCriteria('good', 'yes'), byCriteria('bad', 'maybe')], [mock, judge('judge')])
    const { code, results, stderr } = await evaluate(cwd)
    expect(code).toBe(1)
    expect(stderr).toContain('\n2 tests: 1 passed, 1 failed, judges $0.0040 (2 calls)\n')
    expect(results.get('good')).toMatchObject({
      verdict: 'pass',
      judge_usage: { calls: 1, input: 1000, output: 100, cost_usd: 0.002 },
      evaluator_results: [{ name: 'criteria', type: 'rubrics', items: [{ id: 'rubric-1', satisfied: true }] }],
    })
    expect(results.get('good')).not.toHaveProperty('cost_usd')
    expect(results.get('bad')).toMatchObject({ verdict: 'fail', score: 0, misses: ['maybe'] })
  })

  it('are chosen by the check, --judge, the target, or the name `judge`, in this order', async () => {
    const own = { ...byCriteria('own', 'yes'), assert: [{ type: 'rubrics', criteria: 'yes', target: 'own' }] }
    const targets = ['judge', 'own', 'given', 'of-target'].map(name => judge(name))
    const asked = async (target: object, args: string[] = []) => {
      const from = server.calls.length
      const cwd = evalFolder([own, byCriteria('plain', 'yes')], [{ ...mock, ...target }, ...targets])
      expect((await evaluate(cwd, args)).code).toBe(0)
      return judges(from).sort()
    }
    expect(await asked({})).toEqual(['judge', 'own'])
    expect(await asked({ judge_target: 'of-target' })).toEqual(['of-target', 'own'])
    expect(await asked({ judge_target: 'of-target' }, ['--judge', 'given'])).toEqual(['given', 'own'])
  })

  it('cause an error if they fail, and --resume asks only them again', async () => {
    const cwd = evalFolder([byCriteria('good', 'yes')], [mock, judge('judge')])
    status = 500
    const failed = await evaluate(cwd)
    status = 200
    expect(failed.code).toBe(3)
    expect(failed.results.get('good')).toMatchObject({
      verdict: 'error',
      error: { stage: 'grade' },
      answer: 'yes and no',
    })
    const again = await evaluate(cwd, ['--rerun-failed'])
    expect([again.code, again.results.get('good')?.verdict]).toEqual([0, 'pass'])
  })

  it('are not asked twice for the same request with --cache', async () => {
    const cwd = evalFolder([byCriteria('good', 'yes')], [mock, judge('judge')])
    const from = server.calls.length
    await evaluate(cwd, ['--cache'])
    await evaluate(cwd, ['--cache'])
    expect(server.calls.length - from).toBe(1)
  })

  it('count towards --max-cost', async () => {
    const tests = Array.from({ length: 5 }, (_, index) => byCriteria(`t${index}`, 'yes'))
    const cwd = evalFolder(tests, [mock, judge('judge')])
    const { code, all, stderr } = await evaluate(cwd, ['--max-cost', '0.003', '--workers', '1'])
    expect([code, all.length]).toEqual([3, 2])
    expect(stderr).toContain('3 not run')
  })

  it('are an error before the run if no judge target exists', async () => {
    const cwd = evalFolder([byCriteria('good', 'yes')], [mock])
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('error no-judge')
  })
})
