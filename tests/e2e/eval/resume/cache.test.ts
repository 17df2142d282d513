import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evalFolder, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { type Server, serve } from '../../../support/servers/server.ts'
import { runFolder } from '../../../support/suite-run.ts'

const TESTS = [
  { id: 'a', input: 'one' },
  { id: 'b', input: 'two' },
]

describe('--cache', () => {
  let server: Server
  beforeEach(async () => {
    server = await serve(({ body }, response) => {
      if (body.includes('refuse')) return response.writeHead(400).end()
      return response.end(`ok ${server.calls.length}`)
    })
  })
  afterEach(() => server.close())

  const target = (more: object = {}) => ({ name: 'default', provider: 'http', url: server.url, ...more })
  const answers = async (folder: string, ...args: string[]) =>
    (await evaluate(folder, ['--workers', '1', ...args])).all.map(({ answer }) => answer)

  it('reuses answers without asking the target', async () => {
    const folder = evalFolder(TESTS, [target()])
    const first = await evaluate(folder, ['--cache'])
    const again = await evaluate(folder, ['--cache'])
    expect(server.calls).toHaveLength(2)
    expect([first.code, again.code]).toEqual([0, 0])
    expect(again.all.map(({ answer }) => answer)).toEqual(first.all.map(({ answer }) => answer))
    expect(again.all.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
    expect(readdirSync(runFolder(folder))).toEqual(
      expect.arrayContaining(['answers.jsonl', 'results.jsonl', 'run.json']),
    )
  })

  it('is not read without the option', async () => {
    const folder = evalFolder(TESTS, [target()])
    await evaluate(folder, ['--cache'])
    await evaluate(folder)
    expect(server.calls).toHaveLength(4)
  })

  it('is not written without the option', async () => {
    const folder = evalFolder(TESTS, [target()])
    await evaluate(folder)
    await evaluate(folder, ['--cache'])
    expect(server.calls).toHaveLength(4)
  })

  it('asks for further trials, each once', async () => {
    const folder = evalFolder(TESTS.slice(0, 1), [target()])
    expect(await answers(folder, '--cache')).toEqual(['ok 1'])
    expect(await answers(folder, '--cache', '--trials', '3')).toEqual(['ok 1', 'ok 2', 'ok 3'])
    expect(await answers(folder, '--cache', '--trials', '3')).toEqual(['ok 1', 'ok 2', 'ok 3'])
    expect(server.calls).toHaveLength(3)
  })

  it('asks again if the input changes', async () => {
    const folder = evalFolder(TESTS, [target()])
    await answers(folder, '--cache')
    writeFileSync(join(folder, 'EVAL.yaml'), suiteWith([TESTS[0] as object, { id: 'b', input: 'three' }]))
    expect(await answers(folder, '--cache')).toEqual(['ok 1', 'ok 3'])
  })

  it('asks again if the content of an input file changes', async () => {
    const input = [{ role: 'user', content: [{ type: 'file', value: 'notes.md' }] }]
    const folder = evalFolder([{ id: 'a', input }], [target()], { 'notes.md': 'one' })
    expect(await answers(folder, '--cache')).toEqual(['ok 1'])
    writeFileSync(join(folder, 'notes.md'), 'two')
    expect(await answers(folder, '--cache')).toEqual(['ok 2'])
    writeFileSync(join(folder, 'notes.md'), 'one')
    expect(await answers(folder, '--cache')).toEqual(['ok 1'])
  })

  it.each([
    ['another body', { body: { q: '{{prompt}}' } }],
    ['another system prompt', { system_prompt: 'Be kind.' }],
    ['another header', { headers: { 'x-model': 'large' } }],
  ])('asks again if the target has %s', async (_, more) => {
    const folder = evalFolder(TESTS, [target(), { ...target(more), name: 'other' }])
    await answers(folder, '--cache')
    await answers(folder, '--cache', '--target', 'other')
    expect(server.calls).toHaveLength(4)
  })

  it('asks once per test if the request contains the test id', async () => {
    const folder = evalFolder(
      [
        { id: 'a', input: 'same' },
        { id: 'b', input: 'same' },
      ],
      [target()],
    )
    await answers(folder, '--cache')
    expect(server.calls.map(({ body }) => JSON.parse(body).test_id)).toEqual(['a', 'b'])
  })

  it('keeps a failure of the agent', async () => {
    const folder = evalFolder([{ id: 'a', input: 'refuse' }], [target()])
    for (let run = 0; run < 2; run++) expect((await evaluate(folder, ['--cache'])).code).toBe(3)
    expect(server.calls).toHaveLength(1)
  })

  it('asks again if a cache file is damaged', async () => {
    const folder = evalFolder(TESTS.slice(0, 1), [target()])
    await answers(folder, '--cache')
    const cache = join(folder, '.assay/cache')
    const files = (readdirSync(cache, { recursive: true }) as string[]).filter(name =>
      statSync(join(cache, name)).isFile(),
    )
    expect(files).toHaveLength(1)
    for (const damaged of ['', '{"text": 5}', 'no JSON', 'null']) {
      const before = server.calls.length
      writeFileSync(join(cache, files[0] ?? ''), damaged)
      expect(await answers(folder, '--cache')).toEqual([`ok ${before + 1}`])
      expect(await answers(folder, '--cache')).toEqual([`ok ${before + 1}`])
    }
  })

  it('accepts concurrent writes for the same request', async () => {
    const same = Array.from({ length: 20 }, (_, index) => ({ id: `t${index}`, input: 'same' }))
    const responses = [{ pattern: '.', response: 'ok', delay_ms: 20 }]
    const folder = evalFolder(same, [{ name: 'default', provider: 'mock', responses }])
    const { code, all, stderr } = await evaluate(folder, ['--cache', '--workers', '16'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(all.map(({ verdict }) => verdict)).toEqual(same.map(() => 'pass'))
  })

  it('warns if it cannot be written, and loses no answer', async () => {
    const folder = evalFolder(TESTS, [target()], { '.assay/cache': 'a file where the folder should be' })
    const { code, all, stderr } = await evaluate(folder, ['--cache'])
    expect({ code, stderr }).not.toMatchObject({ code: 70 })
    expect(all.map(({ answer }) => answer?.slice(0, 2))).toEqual(['ok', 'ok'])
    const quiet = await evaluate(folder, ['--cache', '--quiet'])
    const warnings = [stderr, quiet.stderr].map(text => text.match(/^warning cannot write the cache: /gm))
    expect(warnings.map(found => found?.length)).toEqual([1, 1])
  })

  it('does not use the budget', async () => {
    const priced = { provider: 'mock', responses: [{ pattern: '.', response: 'ok', cost_usd: 1 }] }
    const folder = evalFolder(TESTS, [{ name: 'default', ...priced }])
    expect((await evaluate(folder, ['--cache'])).code).toBe(0)
    const again = await evaluate(folder, ['--cache', '--workers', '1', '--max-cost', '0.5'])
    expect({ code: again.code, made: again.all.length }).toEqual({ code: 0, made: 2 })
  })
})

describe('a budget', () => {
  const costing = (usd?: number, more: object = {}) => ({
    name: 'default',
    provider: 'mock',
    responses: [{ pattern: '.', response: 'ok', ...(usd === undefined ? {} : { cost_usd: usd }), ...more }],
  })
  const five = ['a', 'b', 'c', 'd', 'e'].map(id => ({ id, input: id }))
  const ONE = ['--workers', '1']

  it('set with --max-cost stops the run, which --resume continues', async () => {
    const folder = evalFolder(five, [costing(0.25)])
    const begun = await evaluate(folder, [...ONE, '--max-cost', '0.5'])
    expect(begun.code).toBe(3)
    expect(begun.all.map(({ test_id }) => test_id)).toEqual(['a', 'b'])
    expect(begun.stderr).toMatch(/^5 tests: 2 passed, 3 not run, cost \$0\.5000$/m)
    expect(begun.stderr).toMatch(/^The budget is spent\.$/m)
    const [, command = ''] = /^Resume with: assay eval (--resume=\S+)$/m.exec(begun.stderr) ?? []
    const more = await evaluate(folder, [command, ...ONE, '--max-cost', '0.25'])
    expect(more.code).toBe(3)
    expect(more.all.map(({ test_id }) => test_id)).toEqual(['a', 'b', 'c'])
    const whole = await evaluate(folder, [command])
    expect(whole.code).toBe(0)
    expect(whole.all.map(({ test_id, run_id }) => [test_id, run_id])).toEqual(
      five.map(({ id }) => [id, begun.all[0]?.run_id]),
    )
    expect(whole.stderr).toMatch(/^5 tests: 5 passed, cost \$1\.25$/m)
    expect(readdirSync(join(folder, '.assay/runs')).filter(name => name !== 'latest')).toHaveLength(1)
  })

  it('is used without rounding errors', async () => {
    const tests = Array.from({ length: 12 }, (_, index) => ({ id: `t${index}`, input: 'hi' }))
    const { all } = await evaluate(evalFolder(tests, [costing(0.1)]), [...ONE, '--max-cost', '1'])
    expect(all).toHaveLength(10)
  })

  it('uses the price of the target if no cost is reported', async () => {
    const target = {
      ...costing(undefined, { token_usage: { input: 500_000, output: 100_000 } }),
      price: { input: 1, output: 5 },
    }
    const { code, all } = await evaluate(evalFolder(five, [target]), [...ONE, '--max-cost', '2'])
    expect({ code, costs: all.map(({ cost_usd }) => cost_usd) }).toEqual({ code: 3, costs: [1, 1] })
  })

  it('reports answers without a known cost', async () => {
    const { code, all, stderr } = await evaluate(evalFolder(five, [costing()]), [...ONE, '--max-cost', '0.01'])
    expect({ code, made: all.length }).toEqual({ code: 0, made: 5 })
    expect(stderr).toContain('could not count 5 answers')
  })

  it('of a suite stops only that suite', async () => {
    const poor = suiteWith(five, { name: 'poor', execution: { budget_usd: 0.5 } })
    const rich = suiteWith(five, { name: 'rich' })
    const targets = JSON.stringify({ targets: [costing(0.25)] })
    const folder = evalFolder([], [], { 'EVAL.yaml': poor, 'rich.eval.yaml': rich, '.assay/targets.yaml': targets })
    const { code, all } = await evaluate(folder, ONE)
    expect(code).toBe(3)
    expect(all.filter(({ suite }) => suite === 'poor')).toHaveLength(2)
    expect(all.filter(({ suite }) => suite === 'rich')).toHaveLength(5)
  })

  it('of a test stops only the trials of that test', async () => {
    const tests = [
      { id: 'a', input: 'a', execution: { trials: 4, budget_usd: 0.5 } },
      { id: 'b', input: 'b' },
    ]
    const { code, all, stderr } = await evaluate(evalFolder(tests, [costing(0.25)]), ONE)
    expect(code).toBe(3)
    expect(all.map(({ test_id, trial }) => `${test_id} ${trial}`)).toEqual(['a 1', 'a 2', 'b 1'])
    expect(stderr).toContain('2 attempts not run')
  })

  it('has no effect if it is sufficient', async () => {
    const { code, all, stderr } = await evaluate(evalFolder(five, [costing(0.25)]), ['--max-cost', '$1.26'])
    expect({ code, made: all.length }).toEqual({ code: 0, made: 5 })
    expect(stderr).not.toContain('budget')
  })

  it.each(['0', '-1', 'much', ''])('must be a positive amount, not %j', async usd => {
    const { code, stderr } = await evaluate(evalFolder(five, [costing(0.25)]), ['--max-cost', usd])
    expect(code).toBe(2)
    expect(stderr).toContain('--max-cost')
  })
})
