import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluate, suiteWith } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith, PROGRAM } from '../../../support/program.ts'
import { serve } from '../../../support/servers/server.ts'

const ROOT = join(PROGRAM, '../..')
const IMPORTS = [
  `import { defineProvider, NoAnswer } from ${JSON.stringify(join(ROOT, 'dist/index.js'))}`,
  `import { z } from ${JSON.stringify(join(ROOT, 'node_modules/zod/index.js'))}`,
  '',
].join('\n')

/** A provider module with this `answer` function. */
const provider = (answer: string, more = '') =>
  `${IMPORTS}export default defineProvider({ config: z.strictObject({ greeting: z.string().default('ok') }), ${more} answer: ${answer} })\n`

const TESTS = [{ id: 'a', input: 'hi' }]
const TARGET = 'targets:\n  - name: default\n    provider: ./own.mjs\n'

const folderOf = (module: string, targets = TARGET, tests: readonly object[] = TESTS) =>
  folderWith({ 'EVAL.yaml': suiteWith(tests), '.assay/targets.yaml': targets, 'own.mjs': module })

describe('a custom provider', () => {
  it('answers with its own fields and the prompt', async () => {
    const answer = `async ({ greeting }, prompt, { signal, home, host }) => ({
      text: [greeting, prompt.messages[0].content[0].value, prompt.test_id, prompt.trial, home, signal.aborted].join(' '),
      token_usage: { input: 1_000_000, output: 500_000 },
      model: 'mine',
    })`
    const folder = folderOf(provider(answer), `${TARGET}    greeting: ok then\n    price: {input: 2, output: 4}\n`)
    const { code, all, stderr } = await evaluate(folder, ['--trials', '2'])
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(all.map(({ answer }) => answer)).toEqual([1, 2].map(trial => `ok then hi a ${trial} ${folder} false`))
    expect(all[0]).toMatchObject({ provider: './own.mjs', model: 'mine', cost_usd: 4 })
  })

  it('may change what it returned, without an effect on the record', async () => {
    const answer = `async () => {
      const output_messages = [{ role: 'assistant', content: 'first', tool_calls: [{ tool: 'look', input: { at: 1 } }] }]
      setTimeout(() => {
        output_messages[0].content = 'changed'
        output_messages[0].tool_calls[0].input.at = 2
      }, 0)
      return { text: 'ok', output_messages }
    }`
    const slow = { type: 'code_judge', command: ['sh', '-c', 'sleep 0.2; echo \'{"score": 1}\''] }
    const { all } = await evaluate(folderOf(provider(answer), TARGET, [{ ...TESTS[0], assert: [slow] }]))
    const tool_calls = [{ tool: 'look', input: { at: 1 } }]
    expect(all[0]).toMatchObject({ verdict: 'pass', output_messages: [{ content: 'first', tool_calls }] })
  })

  it('is graded by what JSON makes of its answer, as when it is graded again', async () => {
    const answer = `async () => {
      const input = { name: new String('a'), size: NaN, day: new Date(0) }
      return { text: 'ok', output_messages: [{ role: 'assistant', tool_calls: [{ tool: 'look', input }] }] }
    }`
    const args = { name: 'a', size: null, day: '1970-01-01T00:00:00.000Z' }
    const tests = [{ ...TESTS[0], assert: [{ type: 'tool_used', tool: 'look', args }] }]
    const folder = folderOf(provider(answer), TARGET, tests)
    expect((await evaluate(folder)).code).toBe(0)
    expect((await assay(['grade', 'latest'], { cwd: folder })).code).toBe(0)
  })

  it('has no answer if its record could not be read', async () => {
    const answer = `async () => {
      const toJSON = () => JSON.parse('['.repeat(600) + ']'.repeat(600))
      return { text: 'ok', output_messages: [{ role: 'assistant', content: { toJSON } }] }
    }`
    const folder = folderOf(provider(answer))
    const { code, all } = await evaluate(folder)
    expect({ code, error: all[0]?.error }).toMatchObject({ code: 3, error: { code: 'bad-response' } })
    expect((await assay(['report', 'latest'], { cwd: folder })).code).toBe(0)
  })

  it('is found in .assay or beside it', async () => {
    const inside = folderWith({
      'EVAL.yaml': suiteWith(TESTS),
      '.assay/targets.yaml': TARGET,
      '.assay/own.mjs': provider("async () => ({ text: 'ok' })"),
    })
    expect((await evaluate(inside)).code).toBe(0)
  })

  it('may use a workspace, which disables the cache; an exception there is not a bug', async () => {
    const answer = "async (_, { workspace }) => ({ text: 'ok in ' + workspace })"
    const folder = folderWith({
      'EVAL.yaml': suiteWith(['own', 'throws'].map(id => ({ id, input: 'hi', execution: { target: id } }))),
      '.assay/targets.yaml': 'targets: [{name: own, provider: ./own.mjs}, {name: throws, provider: ./throws.mjs}]\n',
      'own.mjs': provider(answer, "files: { workspace: () => 'app' },"),
      'throws.mjs': provider(answer, "files: { workspace: () => { throw new Error('no') } },"),
      'app/a.txt': '',
    })
    const [first, second] = [await evaluate(folder, ['--cache']), await evaluate(folder, ['--cache'])]
    expect([first.code, second.code]).toEqual([0, 0])
    const [one, two] = [first, second].map(({ results }) => results.get('own')?.answer)
    expect(one).toMatch(/^ok in \/.*assay-/)
    expect(two).not.toBe(one)
    expect(second.results.get('throws')?.answer).toBe('ok in undefined')
  })

  it('is asked again after a retryable error', async () => {
    const answer = `async () => {
      globalThis.asked = (globalThis.asked ?? 0) + 1
      if (globalThis.asked < 3) throw new NoAnswer('network', 'not yet', { retryable: true })
      return { text: 'ok ' + globalThis.asked }
    }`
    const { code, all, stderr } = await evaluate(folderOf(provider(answer)))
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(all[0]?.answer).toBe('ok 3')
    expect(stderr).toMatch(/^wait \w+: 1 attempt waits up to \d+ ms: not yet$/m)
  })

  it.each([
    ['throws an Error', "async () => { throw new Error('out of paper') }", /out of paper/],
    ['throws synchronously', "() => { throw new TypeError('out of ink') }", /out of ink/],
    ['throws a string', "async () => { throw 'out of order' }", /out of order/],
    ['throws undefined', 'async () => { throw undefined }', /own\.mjs/],
    ['returns undefined', 'async () => {}', /own\.mjs/],
    ['returns a string', "async () => 'ok'", /own\.mjs/],
    ['returns a text that is not a string', 'async () => ({ text: 5 })', /text/],
    ['returns a list', "async () => [{ text: 'ok' }]", /own\.mjs/],
    ['returns a string as cost', "async () => ({ text: 'ok', cost_usd: 'much' })", /cost_usd/],
    ['returns NaN as cost', "async () => ({ text: 'ok', cost_usd: NaN })", /cost_usd/],
    [
      'returns invalid messages',
      "async () => ({ text: 'ok', output_messages: [{ content: 'ok' }] })",
      /output_messages/,
    ],
    [
      'returns a value without a JSON form',
      "async () => ({ text: 'ok', output_messages: [{ role: 'assistant', content: 1n }] })",
      /./,
    ],
  ])('that %s gives no answer, which is not a bug in assay', async (_, answer, message) => {
    const { code, all, stderr } = await evaluate(folderOf(provider(answer), `${TARGET}    retries: 0\n`))
    expect({ code, stderr }).toMatchObject({ code: 3 })
    expect(all).toHaveLength(1)
    expect(all[0]).toMatchObject({ verdict: 'error', score: null, answer: null, error: { stage: 'answer' } })
    expect(all[0]?.error?.code).not.toBe('bug')
    expect(all[0]?.error?.message).toMatch(message)
    expect(stderr).not.toContain('bug in assay')
  })

  it.each([
    ['ignores the timeout', 1, 'await later', 3, 'no answer within 1 s'],
    ['leaves a timer open', 100, '', 0, undefined],
  ])('that %s is not waited for', async (_, seconds, wait, exit, message) => {
    const answer = `async (_, __, { home }) => {
      const later = new Promise(resolve => setTimeout(resolve, 45_000)).then(() => writeFileSync(home + '/late', ''))
      ${wait}
      return { text: 'ok' }
    }`
    const module = `import { writeFileSync } from 'node:fs'\n${provider(answer)}`
    const folder = folderOf(module, `${TARGET}    timeout_seconds: ${seconds}\n`)
    const { code, all } = await evaluate(folder)
    expect({ code, message: all[0]?.error?.message }).toEqual({ code: exit, message })
    expect(existsSync(join(folder, 'late'))).toBe(false)
  })

  it.each([
    ['throws when it is loaded', "throw new Error('I do not start')\n", 'I do not start'],
    ['throws a string when it is loaded', "throw 'I do not start'\n", 'I do not start'],
    ['is not JavaScript', 'export default {\n', 'cannot be loaded'],
    ['exports nothing', 'export {}\n', 'does not export a provider'],
    ['exports an incomplete provider', "export default { type: 'x' }\n", 'does not export a provider'],
    ['exports null', 'export default null\n', 'does not export a provider'],
  ])('that %s is reported at its location in the targets file', async (_, module, message) => {
    const { code, stderr } = await assay(['eval'], { cwd: folderOf(module) })
    expect({ code, stderr }).toMatchObject({ code: 2 })
    expect(stderr).toContain('.assay/targets.yaml:3:15 error bad-provider')
    expect(stderr).toContain(message)
  })

  it('that is missing is reported with the searched paths', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suiteWith(TESTS), '.assay/targets.yaml': TARGET })
    const { code, stderr } = await assay(['eval'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('`./own.mjs` does not exist')
    expect(stderr).toContain(`looked at ${cwd}/own.mjs and ${cwd}/.assay/own.mjs`)
  })

  it('rejects unknown fields', async () => {
    const folder = folderOf(provider("async () => ({ text: 'ok' })"), `${TARGET}    greting: hi\n`)
    const { code, stderr } = await assay(['eval'], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain('.assay/targets.yaml:4:5 error unknown-key')
    expect(stderr).toContain('did you mean `greeting`?')
  })
})

describe('unsupported use of a target', () => {
  const suite = suiteWith([
    ...TESTS,
    { id: 'b', input: 'hi', assert: [{ type: 'agent_judge', prompt: 'Is it kind?' }] },
    {
      id: 'c',
      input: 'hi',
      assert: [
        { type: 'contains', value: 'ok' },
        {
          type: 'composite',
          aggregator: { type: 'weighted_average' },
          evaluators: [{ type: 'agent_judge', prompt: 'x' }],
        },
      ],
    },
  ])

  it('is reported before the run, only for selected tests', async () => {
    const server = await serve((_, response) => response.end('ok'))
    const answering = { name: 'default', provider: 'http', url: server.url, judge_target: 'default' }
    const targets = JSON.stringify({ targets: [answering] })
    const cwd = folderWith({ 'EVAL.yaml': suite, '.assay/targets.yaml': targets })
    const { code, stdout, stderr } = await assay(['eval'], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.match(/error judge-cannot-look\n {2}the target `default` judges this check/g)).toHaveLength(2)
    expect(server.calls).toEqual([])
    const selected = await assay(['eval', '--test-id', 'a'], { cwd })
    await server.close()
    expect({ code: selected.code, calls: server.calls.length }).toEqual({ code: 0, calls: 1 })
  })

  it('includes agent judges on a provider that cannot explore folders', async () => {
    const answer = 'async (_, { look }) => ({ text: JSON.stringify({ score: 1, reasoning: String(look?.max_steps) }) })'
    const judgedBy = (target: string) => ({ id: target, input: 'hi', assert: [{ type: 'agent_judge', target }] })
    const cwd = folderWith({
      'EVAL.yaml': suiteWith([judgedBy('blind'), judgedBy('seeing')]),
      '.assay/targets.yaml': `${TARGET}  - {name: blind, provider: ./own.mjs}\n  - {name: seeing, provider: ./seeing.mjs}\n`,
      'own.mjs': provider(answer),
      'seeing.mjs': provider(answer, 'looks: true,'),
    })
    const { code, stderr } = await assay(['eval'], { cwd })
    expect({ code, said: stderr.match(/judge-cannot-look\n.*/g) }).toEqual({
      code: 2,
      said: ['judge-cannot-look\n  the target `blind` judges this check, but cannot explore folders'],
    })
    const { results } = await evaluate(cwd, ['--test-id', 'seeing'])
    expect(results.get('seeing')?.evaluator_results).toMatchObject([{ score: 1, reasoning: '10' }])
  })
})

describe('validate --targets', () => {
  const files = {
    'EVAL.yaml': `name: s\nexecution:\n  targets: [default, fastt, own]\ntests:\n  - {id: a, criteria: c, input: i, assert: [{type: contains, value: ok}]}\n`,
    'targets.yaml':
      'targets:\n  - name: default\n    provider: mock\n    response: ${{ NOT_THERE }}\n  - {name: fast, provider: mock, response: ok}\n  - {name: own, provider: ./own.mjs}\n',
  }

  it('reports all problems that a run would report before its first call', async () => {
    const cwd = folderWith(files)
    const without = await assay(['validate'], { cwd })
    expect(without.code).toBe(2)
    // The missing module is independent of the environment and the suite; the rest is not.
    expect(without.stdout.match(/error \S+/g)).toEqual(['error bad-provider'])
    const { code, stdout, stderr } = await assay(['validate', '--targets'], { cwd })
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(stdout).toContain('EVAL.yaml:3:22 error unknown-target')
    expect(stdout).toContain('targets.yaml:4:15 error missing-variable')
    expect(stdout).toContain('targets.yaml:6:27 error bad-provider')
    const json = JSON.parse((await assay(['validate', '--targets', '--json'], { cwd })).stdout)
    expect(JSON.stringify(json)).toContain('missing-variable')
  })

  it('reports no problems if all targets are valid', async () => {
    const own = provider("async () => ({ text: 'ok' })")
    const cwd = folderWith({ ...files, 'EVAL.yaml': files['EVAL.yaml'].replace('fastt', 'fast'), 'own.mjs': own })
    const { code, stdout } = await assay(['validate', '--targets'], { cwd, env: { NOT_THERE: 'ok' } })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^No problems: 2 files checked/) })
  })

  it('reports each problem once', async () => {
    const cwd = folderWith({ ...files, 'targets.yaml': 'targets: [{name: default, provider: mok}]\n' })
    const { stdout } = await assay(['validate', '--targets'], { cwd })
    expect(stdout.match(/unknown-provider/g)).toHaveLength(1)
  })

  it('needs a targets file', async () => {
    const { code, stdout } = await assay(['validate', '--targets'], {
      cwd: folderWith({ 'EVAL.yaml': files['EVAL.yaml'] }),
    })
    expect(code).toBe(2)
    expect(stdout).toContain('error no-targets')
  })
})
