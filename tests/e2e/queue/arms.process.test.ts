import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { describeWithRedis, TestRedis } from '../../support/external/redis.ts'
import { runInfoOf, wordTest } from '../../support/runs.ts'
import { Checkouts, endStarted } from './queued-run.ts'

const AGENT = `let text = ''
process.stdin.on('data', part => { text += part })
process.stdin.on('end', () => process.stdout.write(text.includes('politely') ? 'hello' : 'what?'))`

const AGENT_TARGET = { provider: 'cli', command: ['node', 'agent.mjs'], system_prompt: 'Answer politely.' }

/** A suite on two arms, of which the second is the control arm. */
function checkouts(execution: object, parts: object = {}): Checkouts {
  const targets = [
    { name: 'polite', ...AGENT_TARGET },
    { name: 'other', ...AGENT_TARGET },
    { name: 'rude', extends: 'polite', system_prompt: null },
  ]
  const tests = ['one', 'two', 'three'].map(id => wordTest(id, 'Hi', 'hello'))
  return new Checkouts({
    'agent.mjs': AGENT,
    '.assay/targets.yaml': JSON.stringify({ targets }),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution, tests, ...parts }),
  })
}

describeWithRedis('a queued run with control arms', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await TestRedis.start()
  })
  afterEach(endStarted)
  afterAll(() => redis?.end())

  async function armsOf(made: Checkouts, ...args: string[]) {
    const worker = made.work(redis, { args: ['--once'] })
    const { code, stderr } = await made.coordinated(redis, ...args)
    await worker.kill('SIGTERM')
    const results = made.results() as unknown as {
      target: string
      control?: true
      control_of?: string
      verdict: string
    }[]
    const arms = results.map(({ target, control, control_of, verdict }) =>
      [target, control, control_of, verdict].join(' '),
    )
    return { code, stderr, arms: [...new Set(arms)].sort() }
  }

  it('marks their results, which do not fail it', async () => {
    const made = checkouts({ targets: ['polite', 'rude'], control: 'rude' })
    const { code, stderr, arms } = await armsOf(made)
    expect([code, stderr]).toEqual([0, expect.stringContaining('control arm: 3 failed')])
    expect(arms).toEqual(['polite   pass', 'rude true  fail'])
    expect(runInfoOf(made.folder).arms).toEqual([{ target: 'polite', control: 'rude', differs_in: ['system_prompt'] }])
  })

  it('makes copies without a field on the machines of workers', async () => {
    const { code, arms } = await armsOf(checkouts({ targets: ['polite', 'other'] }), '--ablate', 'system_prompt')
    expect(code).toBe(0)
    expect(arms).toEqual([
      'other   pass',
      'other-without-system-prompt true other fail',
      'polite   pass',
      'polite-without-system-prompt true polite fail',
    ])
  })

  it('asks each variant of a prompt', async () => {
    const variants = [
      { name: 'plain', input: '{{input}}', control: true },
      { name: 'kind', input: '{{input}} politely' },
      { name: 'kinder', input: '{{input}} very politely' },
    ]
    const { code, arms } = await armsOf(checkouts({ target: 'rude' }, { variants }))
    expect(code).toBe(0)
    expect(arms).toEqual(['rude/kind   pass', 'rude/kinder   pass', 'rude/plain true rude/kind,rude/kinder fail'])
  })
})
