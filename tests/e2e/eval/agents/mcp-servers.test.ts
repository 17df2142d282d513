import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { folderWith } from '../../../support/program.ts'

const SECRET = 'sk-mcp-0123456789abcdef'

const CLAUDE = `#!/usr/bin/env node
const { readFileSync } = require('node:fs')
const args = process.argv.slice(2)
const config = args.includes('--mcp-config') ? readFileSync(args[args.indexOf('--mcp-config') + 1], 'utf8') : null
const result = JSON.stringify({ args, config: config && JSON.parse(config), blocking: process.env.MCP_CONNECTION_NONBLOCKING })
console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result }))
`

const CODEX = `#!/usr/bin/env node
const { existsSync, readFileSync } = require('node:fs')
const file = process.env.CODEX_HOME + '/config.toml'
const text = JSON.stringify({ args: process.argv.slice(2), config: existsSync(file) ? readFileSync(file, 'utf8') : null })
console.log(JSON.stringify({ type: 'thread.started', thread_id: 't-1' }))
console.log(JSON.stringify({ type: 'item.completed', item: { id: '1', type: 'agent_message', text } }))
console.log(JSON.stringify({ type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } }))
`

const SERVERS = {
  orders: { command: 'real-orders', args: ['--fast'], env: { TOKEN: '${{ MCP_TOKEN }}' } },
  search: { url: 'https://search.example/mcp', headers: { Authorization: 'Bearer ${{ MCP_TOKEN }}' } },
}
const MOCKS = { orders: { tools: { get: { returns: 1 } } } }
const NODE = process.execPath
const MOCKED = [expect.stringMatching(/dist\/mock-server\.js$/), expect.any(String), 'orders']

describe('MCP servers of coding agents', () => {
  let run: Evaluated
  let cwd: string

  beforeAll(async () => {
    const test = (id: string, more: object = {}) => ({
      id,
      input: 'x',
      execution: { target: id },
      assert: [{ type: 'contains', value: 'args' }],
      ...more,
    })
    cwd = folderWith({
      'EVAL.yaml': suiteWith([
        test('claude'),
        test('claude-mocked', { mocks: MOCKS }),
        test('claude-none'),
        test('codex'),
        test('codex-mocked', { mocks: MOCKS }),
        test('codex-shared', { mocks: MOCKS }),
      ]),
      '.env': `MCP_TOKEN=${SECRET}\n`,
      '.assay/targets.yaml': JSON.stringify({
        targets: [
          { name: 'claude', provider: 'claude_cli', command: './claude', mcp_servers: SERVERS },
          { name: 'claude-mocked', provider: 'claude_cli', command: './claude', mcp_servers: SERVERS },
          { name: 'claude-none', provider: 'claude_cli', command: './claude' },
          { name: 'codex', provider: 'codex_cli', command: './codex', mcp_servers: SERVERS },
          { name: 'codex-mocked', provider: 'codex_cli', command: './codex', mcp_servers: SERVERS },
          { name: 'codex-shared', provider: 'codex_cli', command: './codex', config_dir: 'own' },
        ],
      }),
      claude: CLAUDE,
      codex: CODEX,
      'own/x': '',
    })
    for (const name of ['claude', 'codex']) chmodSync(join(cwd, name), 0o755)
    run = await evaluate(cwd)
  })

  const told = (id: string) => {
    const { answer, error } = run.results.get(id) ?? expect.unreachable(run.stderr)
    return JSON.parse(answer ?? expect.unreachable(JSON.stringify(error)))
  }

  it('are given to Claude Code in a file, with variables filled in, and secrets are redacted', () => {
    const { args, config, blocking } = told('claude')
    expect(args).toEqual(expect.arrayContaining(['--strict-mcp-config']))
    expect(args).not.toContain('--allowedTools')
    expect(config.mcpServers).toEqual({
      orders: { command: 'real-orders', args: ['--fast'], env: { TOKEN: expect.stringContaining('MCP_TOKEN') } },
      search: {
        type: 'http',
        url: 'https://search.example/mcp',
        headers: { Authorization: expect.stringContaining('MCP_TOKEN') },
      },
    })
    expect(blocking).toBe('0')
    expect(JSON.stringify(run.all) + run.stdout + run.stderr).not.toContain(SECRET)
  })

  it('are replaced by mocked ones of the same name, which Claude Code may call', () => {
    const { args, config } = told('claude-mocked')
    expect(config.mcpServers.orders).toEqual({ command: NODE, args: MOCKED })
    expect(config.mcpServers.search).toBeDefined()
    expect(args[args.indexOf('--allowedTools') + 1]).toBe('mcp__orders')
  })

  it('leave agents without servers as they are', () => {
    expect(told('claude-none')).toMatchObject({ config: null })
    expect(told('claude-none').args.join(' ')).not.toContain('mcp')
  })

  it('are written into the configuration of Codex', () => {
    const { args, config } = told('codex')
    expect(args.join(' ')).not.toContain('mcp_servers')
    expect(config.split('\n')).toEqual([
      'mcp_servers.orders.command="real-orders"',
      'mcp_servers.orders.args=["--fast"]',
      expect.stringMatching(/^mcp_servers\.orders\.env=\{ "TOKEN" = ".*MCP_TOKEN.*" \}$/),
      'mcp_servers.search.url="https://search.example/mcp"',
      expect.stringMatching(/^mcp_servers\.search\.http_headers=\{ "Authorization" = "Bearer .*MCP_TOKEN.*" \}$/),
      '',
    ])
    expect(told('codex-mocked').config).toContain(
      'mcp_servers.orders.default_tools_approval_mode="approve"\nmcp_servers.orders.required=true',
    )
  })

  it('are arguments of Codex where its configuration is shared', () => {
    const { args, config } = told('codex-shared')
    expect(config).toBeNull()
    expect(args).toEqual(expect.arrayContaining(['--config', `mcp_servers.orders.command=${JSON.stringify(NODE)}`]))
  })
})
