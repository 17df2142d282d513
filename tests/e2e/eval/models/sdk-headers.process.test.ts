import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay, type Result } from '../../../support/program.ts'
import { ask, KEY, type ModelRun, PROVIDERS } from '../../../support/servers/model-servers.ts'

const headers = { 'X-Team': ' a, b ', 'x-empty': '', 'User-Agent': 'mine/1' }

const LOADED = `process.on('exit', () =>
  process.stderr.write('loaded: ' + process.moduleLoadList.filter(name => name.includes('undici'))))`

describe('the headers of the SDKs in the built program', () => {
  let source: ModelRun
  let built: Result
  beforeAll(async () => {
    const cases = PROVIDERS.map(provider => [provider, { provider, target: { headers } }] as const)
    source = await ask(Object.fromEntries(cases), { 'loaded.cjs': LOADED })
    const NODE_OPTIONS = `--require ${JSON.stringify(join(source.folder, 'loaded.cjs'))}`
    built = await assay(['eval'], { cwd: source.folder, env: { NODE_OPTIONS } })
  })

  it.each(PROVIDERS)('are those that %s sends with the headers of Node', provider => {
    expect(built.code, built.stderr).toBe(0)
    const [expected, sent, ...others] = source.calls(provider).map(call => call.headers)
    expect(others).toEqual([])
    expect(sent).toEqual(expected)
    expect(sent).toMatchObject({ 'x-team': 'a, b', 'x-empty': '' })
    expect(sent?.['user-agent']).toMatch(/^mine\/1 ai-sdk\//)
    expect(Object.values(sent ?? {}).join()).toContain(KEY)
  })

  it('do not load the fetch of Node', () => {
    expect(built.stderr).toMatch(/loaded: $/)
  })
})
