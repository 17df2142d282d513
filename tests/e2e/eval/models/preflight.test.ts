import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import manifest from '../../../../package.json' with { type: 'json' }
import { evalFolder, suiteWith } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith, type Result, run } from '../../../support/program.ts'
import { PROVIDERS, replyOf, say, targetOf } from '../../../support/servers/model-servers.ts'
import { type Server, serve } from '../../../support/servers/server.ts'

const ROOT = join(import.meta.dirname, '../../../..')

const VARIABLES = [
  'OPENAI_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'AZURE_API_KEY',
  'ANTHROPIC_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
]
const NO_KEYS = Object.fromEntries(VARIABLES.map(name => [name, undefined]))

let server: Server
beforeAll(async () => {
  server = await serve(say(200, replyOf('openai_compatible')))
})
afterAll(() => server.close())

/** A suite of two tests with targets in multi-line YAML, so that diagnostics have locations. */
function folderOf(targets: string, files: Record<string, string> = {}): string {
  const tests = ['a', 'b'].map(id => ({ id, input: 'hi' }))
  return folderWith({ 'EVAL.yaml': suiteWith(tests), '.assay/targets.yaml': `targets:\n${targets}`, ...files })
}

/** Expects a run to be rejected before its first request. */
async function expectRejected(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Result> {
  const before = server.calls.length
  const ended = await assay(['eval', ...args], { cwd: folder, env: { ...NO_KEYS, ...env } })
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(server.calls).toHaveLength(before)
  expect(existsSync(join(folder, '.assay/runs'))).toBe(false)
  return ended
}

describe('a missing key', () => {
  const withoutKeys = () =>
    ['openai', 'anthropic', 'google']
      .map(provider => `  - {name: ${provider}, model: m, base_url: '${server.url}', provider: ${provider}}\n`)
      .join('')
      .concat(`  - name: azure\n    provider: azure\n    endpoint: ${server.url}\n    deployment: d\n`)

  it.each([
    ['openai', '2:', '`OPENAI_API_KEY`'],
    ['anthropic', '3:', '`ANTHROPIC_API_KEY`'],
    ['google', '4:', '`GOOGLE_GENERATIVE_AI_API_KEY` or `GEMINI_API_KEY`'],
    ['azure', '6:15', '`AZURE_OPENAI_API_KEY` or `AZURE_API_KEY`'],
  ])('of %s is reported with its location and the name of the variable', async (provider, place, variables) => {
    const { stderr } = await expectRejected(folderOf(withoutKeys()), ['--target', provider])
    expect(stderr).toContain(`.assay/targets.yaml:${place}`)
    expect(stderr).toContain(
      `error missing-variable\n  this target has no \`api_key\`, and the variable ${variables} is`,
    )
    expect(stderr).toContain('.env')
    expect(stderr).toContain('1 error, 0 warnings')
  })

  it('is reported for all targets of the run at once', async () => {
    const args = ['openai', 'anthropic', 'google', 'azure'].flatMap(name => ['--target', name])
    const { stderr } = await expectRejected(folderOf(withoutKeys()), args)
    expect(stderr.match(/error missing-variable/g)).toHaveLength(4)
  })

  it('includes an empty variable', async () => {
    const { stderr } = await expectRejected(folderOf(withoutKeys()), ['--target', 'openai'], { OPENAI_API_KEY: '' })
    expect(stderr).toContain('`OPENAI_API_KEY`')
  })

  it('is reported for the variable in `api_key`, not for the default one', async () => {
    const target = '  - name: default\n    provider: openai\n    model: m\n    api_key: ${{ TEAM_KEY }}\n'
    const { stderr } = await expectRejected(folderOf(target), [], { OPENAI_API_KEY: 'sk-usual-1' })
    expect(stderr).toContain('.assay/targets.yaml:5:')
    expect(stderr).toContain('the variable `TEAM_KEY` is not set')
    expect(stderr).not.toContain('OPENAI_API_KEY')
  })

  it('does not matter for unused targets, nor for openai_compatible', async () => {
    const local = `  - {name: default, provider: openai_compatible, model: m, base_url: '${server.url}'}\n`
    const cwd = folderOf(withoutKeys() + local)
    expect(await assay(['eval'], { cwd, env: NO_KEYS })).toMatchObject({ code: 0 })
    expect(server.calls.splice(0)).toHaveLength(2)
  })
})

describe('an invalid target', () => {
  const target = (name: string, lines: readonly string[]) =>
    [`  - name: ${name}`, 'api_key: sk-WrittenOut1', ...lines].join('\n    ').concat('\n')

  /** Invalid targets by name, with the wrong line and the message of each. */
  const INVALID: Record<string, [lines: readonly string[], line: number, message: string]> = {
    'openai without a model': [['provider: openai'], 0, ':5 error missing-key\n  `model` is missing'],
    'anthropic without a model': [['provider: anthropic'], 0, ':5 error missing-key\n  `model` is missing'],
    'google without a model': [['provider: google'], 0, ':5 error missing-key\n  `model` is missing'],
    'openai_compatible without a place': [
      ['provider: openai_compatible', 'model: m'],
      0,
      ':5 error missing-key\n  `base_url` is missing',
    ],
    'azure without an endpoint': [
      ['provider: azure', 'deployment: d'],
      0,
      ':5 error missing-key\n  `endpoint` is missing',
    ],
    'azure without a deployment': [
      ['provider: azure', 'endpoint: e'],
      0,
      ':5 error missing-key\n  `deployment` is missing',
    ],
    'openai with an option that it does not know': [
      ['provider: openai', 'model: m', 'max_token: 5'],
      4,
      ':5 error unknown-key\n  unknown key `max_token`',
    ],
    'google with an option of another': [
      ['provider: google', 'model: m', 'endpoint: e'],
      4,
      ':5 error unknown-key\n  unknown key `endpoint`',
    ],
    'openai that is too hot': [['provider: openai', 'model: m', 'temperature: 3'], 4, ':18 error out-of-range'],
    'anthropic with half a token': [['provider: anthropic', 'model: m', 'max_tokens: 1.5'], 4, ':17 error '],
    'openai with an empty model': [['provider: openai', 'model: ""'], 3, ':12 error out-of-range'],
    'openai with options that are none': [['provider: openai', 'model: m', 'options: fast'], 4, ':14 error '],
    'a provider that is misspelt': [['provider: open-ai', 'model: m'], 2, ':15 error '],
  }
  const texts = Object.entries(INVALID).map(([name, [lines]]) => target(name, lines))
  let stderr = ''
  beforeAll(async () => {
    const args = Object.keys(INVALID).flatMap(name => ['--target', name])
    ;({ stderr } = await expectRejected(folderOf(texts.join('')), args))
  })

  it.each(Object.keys(INVALID))('(%s) is reported before the run', name => {
    const before = texts.slice(0, Object.keys(INVALID).indexOf(name)).join('').split('\n').length
    const [, line = 0, message = ''] = INVALID[name] ?? []
    expect(stderr).toContain(`.assay/targets.yaml:${before + line + 1}${message}`)
  })

  it.each(['eval', 'validate'])('is reported without its key (%s)', async command => {
    const cwd = folderOf(target('default', ['models: m', 'provider: openai']))
    const { code, stdout, stderr } = await assay([command], { cwd, env: NO_KEYS })
    expect(code).toBe(2)
    expect(stdout + stderr).toContain('unknown key `models`')
    expect(stdout + stderr).not.toContain('sk-WrittenOut1')
  })
})

describe('the built program, with what users install', () => {
  const home = folderWith()
  const installed = join(home, 'node_modules/assay')

  beforeAll(() => {
    for (const part of ['dist', 'package.json', 'schema']) {
      cpSync(join(ROOT, part), join(installed, part), { recursive: true, filter: path => !path.endsWith('dist/types') })
    }
    for (const name of Object.keys(manifest.dependencies)) {
      const link = join(home, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules', name), link)
    }
  })

  it.each(PROVIDERS)('asks a model of %s', async provider => {
    expect(readdirSync(join(home, 'node_modules')).filter(name => /^(ai|@ai-sdk)$/.test(name))).toEqual([])
    const model = await serve(say(200, replyOf(provider)))
    onTestFinished(() => model.close())
    const cwd = evalFolder([{ id: 'a', input: 'hi' }], [{ name: 'default', ...targetOf(provider, model.url) }])
    const args = [join(installed, 'dist/assay.cjs'), 'eval']
    expect(await run(process.execPath, args, { cwd, env: NO_KEYS })).toMatchObject({ code: 0 })
    expect(model.calls).toHaveLength(1)
  })
})
