import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { model, targetOf } from '../../support/servers/model-servers.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { Checkouts, endStarted } from './queued-run.ts'

describeWithRedis('a queued run with a panel and --judge-repeats', () => {
  let redis: TestRedis
  let server: Server
  beforeAll(async () => {
    redis = await TestRedis.start()
    server = await serve((call, response) =>
      model('openai_compatible', { text: JSON.stringify({ score: call.nth % 2, reasoning: 'why' }) })(call, response),
    )
  })
  afterEach(endStarted)
  afterAll(async () => {
    await server?.close()
    await redis?.end()
  })

  it('asks every judge for every repeat on the machine of the worker', async () => {
    const judges = ['a', 'b', 'c']
    const made = new Checkouts({
      'EVAL.yaml': JSON.stringify({
        name: 'panel',
        tests: [1, 2].map(id => ({ id: `t${id}`, input: 'Hi', assert: [{ type: 'llm_judge', judges }] })),
      }),
      '.assay/targets.yaml': JSON.stringify({
        targets: [
          { name: 'default', provider: 'mock', response: 'ok' },
          ...judges.map(name => ({ name, ...targetOf('openai_compatible', `${server.url}/${name}`) })),
        ],
      }),
    })
    const worker = made.work(redis, { args: ['--once'], cwd: made.copy() })
    await made.coordinated(redis, '--judge-repeats', '2')
    await worker.kill('SIGTERM')
    const results = made.results() as unknown as { judge_scores?: number[]; judge_usage?: { calls: number } }[]
    expect(results.map(({ judge_scores }) => judge_scores?.length)).toEqual([2, 2])
    expect(results.map(({ judge_usage }) => judge_usage?.calls)).toEqual([6, 6])
    expect(server.calls).toHaveLength(12)
  })
})
