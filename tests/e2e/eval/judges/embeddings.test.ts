import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalFolder, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { embed, embedAsGoogle } from '../../../support/servers/embeddings.ts'
import { KEY, type ProviderName, say, targetOf } from '../../../support/servers/model-servers.ts'
import { type Behaviour, type Server, serve } from '../../../support/servers/server.ts'

let server: Server
/** The behaviour of the server by the first part of the path. */
const behaviours = new Map<string, Behaviour>()

beforeAll(async () => {
  server = await serve((call, response) => (behaviours.get(call.path.split('/')[1] ?? '') ?? embed)(call, response))
})
afterAll(() => server.close())

const mock = { name: 'default', provider: 'mock', response: 'apple bee' }

function embedder(name: string, more: object = {}, provider: ProviderName = 'openai_compatible'): object {
  return { name, ...targetOf(provider, `${server.url}/${name}`), model: 'embed-1', retries: 0, ...more }
}

const similar = (target: string, value: unknown = 'apple cat', more: object = {}) => ({
  type: 'similar',
  target,
  value,
  ...more,
})

const testOf = (id: string, ...assert: object[]) => ({ id, criteria: 'Says it', input: 'Well?', assert })

/** Runs one check with one embedding target, whose server has this behaviour. */
async function run(name: string, behaviour: Behaviour, target: object = {}, args: readonly string[] = []) {
  behaviours.set(name, behaviour)
  const cwd = evalFolder([testOf('t', similar(name))], [mock, embedder(name, target)])
  const evaluated = await evaluate(cwd, args)
  const calls = () => server.calls.filter(({ path }) => path.startsWith(`/${name}/`))
  return { ...evaluated, cwd, calls, result: evaluated.results.get('t') }
}

describe('embeddings', () => {
  it('grade answers by their cosine, with usage and cost of judges', async () => {
    const cwd = evalFolder(
      [
        // `apple bee` and `ant bat` have the same first letters; with `apple cat`, one of two is common: 1 / (√2 · √2).
        testOf('same', similar('plain', 'ant bat', { threshold: 0.99 })),
        testOf('half', similar('plain', 'apple cat', { threshold: 0.6 })),
        testOf('best', similar('plain', ['zoo', 'apple'])),
        testOf('equal', similar('plain', 'apple bee')),
      ],
      [mock, embedder('plain', { price: { input: 1000 } })],
    )
    const { code, results, stderr } = await evaluate(cwd)
    expect(code).toBe(1)
    expect(results.get('same')).toMatchObject({ verdict: 'pass', judge_usage: { calls: 1, input: 4, cost_usd: 0.004 } })
    expect(results.get('half')).toMatchObject({ verdict: 'fail', misses: ['cosine similarity 0.5 is below 0.6'] })
    expect(results.get('best')?.evaluator_results[0]?.score).toBeCloseTo(Math.SQRT1_2, 9)
    expect(results.get('equal')).toMatchObject({ verdict: 'pass', score: 1 })
    expect(results.get('equal')).not.toHaveProperty('judge_usage')
    expect(stderr).toContain('judges $0.0120 (3 calls)')
  })

  it.each([
    ['openai', embed, '/embeddings'],
    ['openai_compatible', embed, '/embeddings'],
    ['azure', embed, '/openai/embeddings'],
    ['google', embedAsGoogle, '/models/embed-1:batchEmbedContents'],
  ] as const)('come from %s', async (provider, behaviour, path) => {
    const name = `by-${provider}`
    behaviours.set(name, behaviour)
    const target = embedder(name, provider === 'azure' ? { deployment: 'embed-1' } : {}, provider)
    const options = provider === 'google' ? { outputDimensionality: 26 } : { dimensions: 26, extra_field: 1 }
    const { code, results, stderr } = await evaluate(
      evalFolder([testOf('t', similar(name))], [mock, { ...target, options }]),
    )
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(results.get('t')?.evaluator_results).toMatchObject([{ score: expect.closeTo(0.5, 9) }])
    expect(results.get('t')?.judge_usage).toEqual({ calls: 1, ...(provider === 'google' ? {} : { input: 4 }) })
    const [call] = server.calls.filter(each => each.path.startsWith(`/${name}/`))
    expect(call?.path).toBe(`/${name}${path}`)
    expect(JSON.stringify(call?.headers)).toContain(KEY)
    const body = JSON.parse(call?.body ?? '')
    if (provider === 'google') expect(body.requests[0]).toMatchObject({ outputDimensionality: 26 })
    else
      expect(body).toMatchObject({
        model: 'embed-1',
        input: ['apple bee', 'apple cat'],
        dimensions: 26,
        extra_field: 1,
      })
  })

  it('use the deployment in the path for versions of Azure that are dates', async () => {
    const target = { ...embedder('dated', {}, 'azure'), deployment: 'd-1', api_version: '2024-10-21' }
    const { results } = await evaluate(evalFolder([testOf('t', similar('dated'))], [mock, target]))
    expect(results.get('t')?.evaluator_results).toMatchObject([{ score: expect.closeTo(0.5, 9) }])
    expect(server.to('/dated/openai/deployments/d-1/embeddings?api-version=2024-10-21')).toHaveLength(1)
  })

  it('are asked again after 429, and with --cache not for the same texts', async () => {
    const busy: Behaviour = (call, response) =>
      (call.nth === 1 ? say(429, 'slow down', { 'retry-after': '0' }) : embed)(call, response)
    const { result, cwd, calls } = await run('busy', busy, { retries: 1 }, ['--cache'])
    expect(result?.judge_usage).toEqual({ calls: 1, input: 4 })
    expect(calls()).toHaveLength(2)
    const again = await evaluate(cwd, ['--cache'])
    expect(again.results.get('t')?.evaluator_results).toMatchObject([{ score: expect.closeTo(0.5, 9) }])
    expect(calls()).toHaveLength(2)
  })

  it('count towards --max-cost', async () => {
    const tests = Array.from({ length: 5 }, (_, index) => testOf(`t${index}`, similar('paid', `apple ${index}`)))
    const cwd = evalFolder(tests, [mock, embedder('paid', { price: { input: 1000 } })])
    const { code, all, stderr } = await evaluate(cwd, ['--max-cost', '0.005', '--workers', '1'])
    expect([code, all.length]).toEqual([3, 2])
    expect(stderr).toContain('3 not run')
  })

  const hostile: [string, Behaviour, object, string][] = [
    ['too-long', say(400, { error: { message: `maximum is 8192 tokens ${KEY}` } }), {}, 'maximum is 8192 tokens'],
    ['broken', say(500, 'oops'), {}, '500'],
    ['not-json', say(200, 'hello'), {}, 'invalid reply'],
    ['chat', say(200, { choices: [] }), {}, 'invalid reply'],
    ['text-values', say(200, { data: [{ embedding: ['a'] }, { embedding: [1] }] }), {}, 'invalid reply'],
    ['one', say(200, { data: [{ embedding: [1] }] }), {}, '1 vectors for 2 texts'],
    ['lengths', say(200, { data: [{ embedding: [1] }, { embedding: [1, 2] }] }), {}, 'different lengths: 1, 2'],
    ['zeros', say(200, { data: [{ embedding: [0] }, { embedding: [1] }] }), {}, 'a vector of zeros'],
    ['infinite', say(200, '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}'), {}, 'invalid reply'],
    [
      'moved',
      say(200, {
        data: [
          { index: 1, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      }),
      {},
      'not in the order of the texts',
    ],
    [
      'usage',
      say(200, { data: [{ embedding: [1] }, { embedding: [1] }], usage: { prompt_tokens: -5 } }),
      {},
      '`input` of the answer is invalid',
    ],
    ['slow', () => {}, { timeout_seconds: 1 }, 'no answer within 1 s'],
    ['option', embed, { options: { dimensionz: 3, taskType: 'x' } }, '`taskType` is unknown'],
  ]
  it.each(hostile)(
    'that fail (%s) are an error, not a score, and no key is recorded',
    async (name, behaviour, target, message) => {
      const { code, result, stderr, stdout } = await run(name, behaviour, target)
      expect({ code, stderr }).toMatchObject({ code: 3 })
      expect(result).toMatchObject({
        verdict: 'error',
        error: { stage: 'grade' },
        evaluator_results: [{ score: null }],
      })
      expect(result?.evaluator_results[0]?.error?.message).toContain(message)
      expect(JSON.stringify(result) + stderr + stdout).not.toContain(KEY)
    },
  )

  it('belong to the identity of the judges: another model or other settings make another one', async () => {
    const hashOf = async (more: object) => {
      const { result } = await run('identity', embed, more)
      return result?.judges_hash
    }
    const hashes = [await hashOf({}), await hashOf({ model: 'embed-2' }), await hashOf({ options: { dimensions: 3 } })]
    expect(new Set(hashes).size).toBe(3)
    expect(hashes).not.toContain(undefined)
    expect(await hashOf({})).toBe(hashes[0])
  })

  it('are asked for again by `assay grade`, but the target is not', async () => {
    const { cwd, calls } = await run('graded', embed)
    const suite = JSON.stringify({ name: 'suite', tests: [testOf('t', similar('graded', 'ant bat'))] })
    writeFileSync(join(cwd, 'EVAL.yaml'), suite)
    const { code, stderr } = await assay(['grade', 'latest'], { cwd })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(calls().map(({ body }) => JSON.parse(body).input[1])).toEqual(['apple cat', 'ant bat'])
  })

  it('are priced by their input alone in the plan of `assay check --judges`', async () => {
    const target = embedder('planned', { price: { input: 1000 } })
    const cwd = evalFolder([{ ...testOf('t', similar('planned')), expected_output: 'apple' }], [mock, target])
    const { stderr } = await assay(['check', '--judges', '--plan'], { cwd })
    expect(stderr).toMatch(/requests to planned about 1 test, about \$0\.\d+/)
  })

  it('need a target that has them', async () => {
    const claude = { name: 'claude', ...targetOf('anthropic', server.url) }
    const cwd = evalFolder(
      [testOf('a', similar('claude')), testOf('b', similar('default')), testOf('c', similar('absent'))],
      [mock, claude],
    )
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr.match(/error target-cannot-embed\n.*/g)).toEqual([
      'error target-cannot-embed\n  the target `claude` cannot embed texts',
      'error target-cannot-embed\n  the target `default` cannot embed texts',
    ])
    expect(stderr).toContain('use a target of one of these providers: openai, azure, google, openai_compatible, with')
    expect(stderr).toContain('error unknown-target')
  })

  it('are not replaced by --judge, and never favour a model of their family', async () => {
    behaviours.set('gemini', embed)
    const answering = { ...embedder('answering', { model: 'gemini-2.5-flash' }), provider: 'openai_compatible' }
    const target = embedder('gemini', { model: 'gemini-embedding-001' })
    const cwd = evalFolder([testOf('t', similar('gemini'))], [mock, target, answering])
    const { results, stderr } = await evaluate(cwd, ['--judge', 'default'])
    expect(results.get('t')?.evaluator_results).toMatchObject([{ score: expect.closeTo(0.5, 9) }])
    expect(stderr).not.toContain('same-family')
    const validated = await assay(['validate', '--targets', '--target', 'answering'], { cwd })
    expect(validated.stderr + validated.stdout).not.toContain('same-family')
  })

  it('of the family of the target are no reason for a warning, unlike a judge', async () => {
    const answering = embedder('answering', { model: 'gemini-2.5-flash' })
    const target = embedder('gemini', { model: 'gemini-embedding-001' })
    const planned = async (check: object) => {
      const cwd = evalFolder([testOf('t', check)], [answering, target])
      return assay(['eval', '--plan', '--target', 'answering'], { cwd })
    }
    expect((await planned(similar('gemini'))).stderr).not.toContain('same-family')
    const judged = await planned({ type: 'llm_judge', target: 'gemini' })
    expect(judged.stderr).toContain('both belong to the model family `gemini`')
  })

  it.each(['openai', 'azure'] as const)('of %s have options that the SDK checks before it asks', async provider => {
    const name = `checked-${provider}`
    const target = embedder(name, { options: { dimensions: 'many' } }, provider)
    const own = provider === 'azure' ? { ...target, deployment: 'embed-1' } : target
    const { results } = await evaluate(evalFolder([testOf('t', similar(name))], [mock, own]))
    expect(results.get('t')?.evaluator_results[0]?.error?.message).toContain('invalid openai provider options')
    expect(server.calls.filter(({ path }) => path.startsWith(`/${name}/`))).toEqual([])
  })

  it('come from a custom provider with `embed`, whose mistakes are errors of the check', async () => {
    const provider = (embed: string) =>
      `import { z } from 'zod'\nexport default { config: z.strictObject({}), answer: async () => ({ text: 'ok' }), embed: ${embed} }\n`
    const cwd = evalFolder(
      [testOf('good', similar('good')), testOf('bad', similar('bad')), testOf('throws', similar('throws'))],
      [mock, ...['good', 'bad', 'throws'].map(name => ({ name, provider: `./${name}.mjs` }))],
      {
        'good.mjs': provider('async (_, texts) => ({ vectors: texts.map(text => [text.length, 1]) })'),
        'bad.mjs': provider("async () => ({ vectors: ['x'] })"),
        'throws.mjs': provider("async () => { throw new Error('no vectors today') }"),
      },
    )
    const { results } = await evaluate(cwd)
    expect(results.get('good')?.evaluator_results).toMatchObject([{ score: 1 }])
    expect(results.get('bad')?.evaluator_results[0]?.error?.message).toContain(
      '`./bad.mjs` returned invalid embeddings',
    )
    expect(results.get('throws')?.evaluator_results[0]?.error?.message).toContain('no vectors today')
  })
})
