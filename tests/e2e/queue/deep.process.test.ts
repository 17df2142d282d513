import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { Checkouts, endStarted, numbers } from './queued-run.ts'

const DEEP = `${'['.repeat(6000)}${']'.repeat(6000)}`

describeWithRedis('an answer that is nested too deep', () => {
  let redis: TestRedis

  beforeAll(async () => {
    redis = await TestRedis.start()
  })

  afterEach(endStarted)
  afterAll(() => redis?.end())

  it('is an error of its attempt on a worker, and the coordinator ends', async () => {
    const agent = { name: 'default', provider: 'cli', command: ['cat', 'printed.txt'] }
    const checkouts = new Checkouts({
      'EVAL.yaml': numbers(2),
      '.assay/targets.yaml': JSON.stringify({ targets: [agent] }),
      'printed.txt': `{"text": "ok", "tool_calls": [{"tool": "Read", "input": ${DEEP}}]}`,
    })
    checkouts.work(redis)
    const run = checkouts.coordinate(redis)
    expect(await run.ended).toBe(3)
    const bad = { verdict: 'error', error: { code: 'bad-response' } }
    expect(checkouts.results()).toMatchObject([bad, bad])
  })
})
