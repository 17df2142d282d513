import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate, suiteWith } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const CLIENT = pathToFileURL(join(import.meta.dirname, '../../support/mcp-client.mjs')).href

/** Stands in for Claude Code: makes the calls of its prompt, on the servers that it is given, under its own names of tools. */
const CLAUDE = `#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { connect } from '${CLIENT}'
const args = process.argv.slice(2)
const valueOf = flag => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined)
const { mcpServers = {} } = valueOf('--mcp-config') ? JSON.parse(readFileSync(valueOf('--mcp-config'), 'utf8')) : {}
const shown = new Map(Object.keys(mcpServers).map(name => ['mcp__' + name.replace(/[^A-Za-z0-9_-]/g, '_'), name]))
const calls = JSON.parse(readFileSync(0, 'utf8').split('\\n').at(-1))
const print = event => console.log(JSON.stringify(event))
const say = (role, content) => print({ type: role, message: { role, content: [content] } })
print({ type: 'system', subtype: 'init' })
for (const [index, [tool, input]] of calls.entries()) {
  const prefix = [...shown.keys()].find(name => tool.startsWith(name + '__'))
  say('assistant', { type: 'tool_use', id: 't' + index, name: tool, input })
  const client = prefix && connect(mcpServers[shown.get(prefix)])
  const reply = client ? await client.call(tool.slice(prefix.length + 2), input) : { error: 'No such tool available' }
  await client?.close()
  say('user', { type: 'tool_result', tool_use_id: 't' + index, content: reply.text ?? reply.error ?? reply.rejected, is_error: reply.text === undefined })
}
const result = JSON.stringify({ servers: [...shown.keys()], allowed: valueOf('--allowedTools'), strict: args.includes('--strict-mcp-config') })
print({ type: 'result', subtype: 'success', is_error: false, result })
`

const MOCKS = {
  tracker: { tools: { create_issue: { input: { title: 'string' }, returns: 'TRK-1' } } },
  calendar: { tools: { today: { returns: '2026-11-17' } } },
}

const PLUGIN = {
  'plugins/team/.claude-plugin/plugin.json': JSON.stringify({
    name: 'team',
    mcpServers: { tracker: { command: 'real-tracker' } },
  }),
  'plugins/team/.mcp.json': JSON.stringify({ mcpServers: { wiki: { command: 'real-wiki' } } }),
}

const ISSUE = ['mcp__plugin_team_tracker__create_issue', { title: 'Login' }]
const TODAY = ['mcp__calendar__today', {}]

function project(tests: readonly object[], targets: readonly object[], keys: object = { mocks: MOCKS }): string {
  const folder = folderWith({
    ...PLUGIN,
    'EVAL.yaml': suiteWith(tests, keys),
    '.assay/targets.yaml': JSON.stringify({ targets }),
  })
  writeFileSync(join(folder, 'claude.mjs'), CLAUDE, { mode: 0o755 })
  return folder
}

const WITH = { name: 'with', provider: 'claude_cli', command: './claude.mjs', plugins: ['plugins/team'], retries: 0 }
const WITHOUT = { ...WITH, name: 'without', plugins: [] }

const test = (id: string, calls: readonly unknown[], more: object = {}) => ({
  id,
  input: JSON.stringify(calls),
  assert: [{ type: 'contains', value: 'servers' }],
  ...more,
})

describe('mocks of servers that a plugin declares', () => {
  let run: Evaluated
  const on = (target: string, id: string) =>
    run.all.find(result => result.target === target && result.test_id === id) ?? expect.unreachable(run.stderr)

  beforeAll(async () => {
    const tests = [
      test('calls', [ISSUE, TODAY]),
      test('unmocked-tool', [['mcp__plugin_team_tracker__close', { id: 1 }]]),
      test('unmocked-server', [['mcp__plugin_team_wiki__search', { text: 'x' }]]),
      test('plain-name', [['mcp__tracker__create_issue', { title: 'x' }]]),
    ]
    const cwd = project(tests, [WITH, WITHOUT], { mocks: MOCKS, execution: { targets: ['with', 'without'] } })
    run = await evaluate(cwd)
  })

  it('have the names that Claude Code gives them, and others have their own', () => {
    const { answer, mock_calls, error } = on('with', 'calls')
    expect(error).toBeUndefined()
    expect(JSON.parse(answer ?? '')).toEqual({
      servers: ['mcp__plugin_team_tracker', 'mcp__calendar'],
      allowed: 'mcp__plugin_team_tracker,mcp__calendar',
      strict: true,
    })
    expect(mock_calls).toEqual([
      { server: 'tracker', tool: 'create_issue', input: { title: 'Login' }, output: 'TRK-1' },
      { server: 'calendar', tool: 'today', input: {}, output: '2026-11-17' },
    ])
  })

  it('do not exist on an arm without the plugin, where others do', () => {
    const { answer, mock_calls, state, error } = on('without', 'calls')
    expect(error).toBeUndefined()
    expect(JSON.parse(answer ?? '').servers).toEqual(['mcp__calendar'])
    expect(mock_calls).toEqual([{ server: 'calendar', tool: 'today', input: {}, output: '2026-11-17' }])
    expect(state).toEqual({ tracker: {}, calendar: {} })
  })

  it('make a call to another tool or server of the plugin an error of the attempt', () => {
    expect(on('with', 'unmocked-tool')).toMatchObject({
      error: { code: 'unmocked-call', message: expect.stringContaining('tracker.close with {"id": 1}') },
      mock_calls: [{ server: 'tracker', tool: 'close', rejected: true }],
    })
    expect(on('with', 'unmocked-server')).toMatchObject({
      error: { code: 'unmocked-call', message: expect.stringContaining('wiki.search with {"text": "x"}') },
    })
    expect(on('without', 'unmocked-server').error).toBeUndefined()
  })

  it('are not found under a name that Claude Code does not give them', () => {
    expect(on('with', 'plain-name')).toMatchObject({ mock_calls: [] })
    expect(on('with', 'plain-name').error).toBeUndefined()
  })
})

describe('a control arm without the plugin', () => {
  it('is another target than the same target alone, which has the server', async () => {
    const cwd = project([test('one', [TODAY])], [WITH, WITHOUT])
    const both = await evaluate(cwd, ['--target', 'with', '--target', 'without'])
    const alone = await evaluate(cwd, ['--target', 'without'])
    const hashOf = ({ all }: Evaluated) => all.find(({ target }) => target === 'without')?.target_hash
    expect(JSON.parse(alone.all[0]?.answer ?? '').servers).toEqual(['mcp__tracker', 'mcp__calendar'])
    expect(hashOf(alone)).not.toBe(hashOf(both))
  })
})

describe('servers of a plugin in a test without mocks', () => {
  it('are real, beside those of the target', async () => {
    const target = { ...WITH, mcp_servers: { search: { url: 'https://search.example/mcp' } } }
    const targets = [target, { ...target, name: 'bare', plugins: [] }]
    const cwd = project([test('one', [])], targets, { execution: { targets: ['with', 'bare'] } })
    const { all, stderr } = await evaluate(cwd, ['--workers', '1'])
    const strict = Object.fromEntries(all.map(({ target, answer }) => [target, JSON.parse(answer ?? '{}').strict]))
    expect(strict, stderr).toEqual({ with: false, bare: true })
  })
})

it('`assay validate` reports a plugin whose servers cannot be read', async () => {
  const cwd = project([test('one', [])], [WITH], { execution: { target: 'with' } })
  folderWith({ 'plugins/team/.mcp.json': '{"mcpServers": ' }, cwd)
  const { stdout } = await assay(['validate', '--targets'], { cwd })
  expect(stdout).toContain('`plugins/team` cannot be loaded: .mcp.json is not a JSON object')
})
