import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../src/host/node.ts'
import { providers } from '../../src/providers/index.ts'
import { folderWith } from '../support/program.ts'

function providerOf(type: string) {
  const provider = providers.find(each => each.type === type)
  if (!provider) throw new Error(`there is no ${type}`)
  return provider
}

describe('the description of a target', () => {
  it.each<[type: string, config: object, words: string]>([
    ['mock', { response: 'Hi' }, 'one answer'],
    ['mock', { responses: [{ pattern: 'a', response: 'b' }] }, '1 answer by pattern'],
    ['mock', { responses: Array(3).fill({ pattern: 'a', response: 'b' }) }, '3 answers by pattern'],
    ['cli', { command: ['node', 'agent.mjs', '--quiet'] }, 'node agent.mjs --quiet'],
    ['cli', { command: 'my-agent --ask {PROMPT} | tail' }, 'my-agent --ask {PROMPT} | tail'],
    ['openai', { model: 'gpt-5-mini' }, 'gpt-5-mini'],
    ['anthropic', { model: 'm', base_url: 'https://me:pw@example.com/v1' }, 'm at https://example.com/v1'],
    ['google', { model: 'm' }, 'm'],
    ['openai_compatible', { model: 'llama3', base_url: 'http://127.0.0.1:1/v1' }, 'llama3 at http://127.0.0.1:1/v1'],
    ['azure', { endpoint: 'https://a.example.com', deployment: 'd' }, 'd at https://a.example.com'],
    ['azure', { endpoint: 'e', base_url: 'http://b', deployment: 'd', model: 'gpt-5' }, 'gpt-5 as d at http://b'],
    ['claude_cli', { command: 'claude' }, 'claude'],
    ['claude_cli', { command: '/opt/claude', model: 'sonnet' }, '/opt/claude with sonnet'],
    ['codex_cli', { command: 'codex', model: 'gpt-5-codex' }, 'codex with gpt-5-codex'],
    ['replay', { from: 'latest' }, 'the answers of latest'],
    ['replay', { from: 'runs/a', target: 'gpt' }, 'the answers of gpt in runs/a'],
  ])('%s %j: %s', (type, config, words) => {
    expect(providerOf(type).about?.(config)).toBe(words)
  })

  it.each<[url: string, shown: string]>([
    ['https://example.com/chat/{{prompt}}', 'https://example.com/chat/{{prompt}}'],
    ['https://example.com/chat?key=abc&x={{prompt}}#top', 'https://example.com/chat?…'],
    ['https://example.com/#top', 'https://example.com/'],
    ['https://me:pw@example.com:8443/@me', 'https://example.com:8443/@me'],
    [' http:me:pw@example.com/a', 'http://example.com/a'],
    ['http://${{ USER }}:pw@example.com/a', 'http://example.com/a'],
    ['http://me:p?w#x@example.com/a?b', 'http://example.com/a?…'],
    ['https://me:pw@example.com?key=abc', 'https://example.com/?…'],
    ['me:p/w@example.com:x/a', 'example.com:x/a'],
    ['${{ AGENT_URL }}/chat', '${{ AGENT_URL }}/chat'],
  ])('http %s: POST %s', (url, shown) => {
    expect(providerOf('http').about?.({ url, method: 'POST' })).toBe(`POST ${shown}`)
  })

  it('exists for every provider', () => {
    expect(providers.filter(({ about }) => !about).map(({ type }) => type)).toEqual([])
  })
})

describe('the local requirements of a target', () => {
  const cwd = folderWith({ 'bin/agent': '#!/bin/sh\n', 'home/in/agent': '', 'plain.sh': '', 'other/special': '' })
  for (const path of ['bin/agent', 'home/in/agent', 'other/special']) chmodSync(join(cwd, path), 0o755)
  mkdirSync(join(cwd, 'bin/folder'))
  const host = { ...nodeHost(cwd), env: { PATH: `${join(cwd, 'nowhere')}:${join(cwd, 'bin')}` } }
  const lacks = (type: string, config: object, platform = host.platform) =>
    providerOf(type).validate?.machine?.(config, join(cwd, 'home'), { ...host, platform })

  it.each<[type: string, config: object, words: string | undefined]>([
    ['cli', { command: ['agent', 'x'] }, undefined],
    ['cli', { command: ['agnt', 'x'] }, 'program `agnt` not found on PATH'],
    ['cli', { command: ['folder'] }, 'program `folder` not found on PATH'],
    ['cli', { command: ['special'], env: { PATH: join(cwd, 'other') } }, undefined],
    ['cli', { command: ['agent'], env: { PATH: join(cwd, 'other') } }, 'program `agent` not found on PATH'],
    ['cli', { command: 'no-such-program | cat' }, undefined],
    ['cli', { command: ['./bin/agent'] }, undefined],
    ['cli', { command: [join(cwd, 'bin/agent')] }, undefined],
    ['cli', { command: ['./in/agent'], cwd: '.' }, undefined],
    ['cli', { command: ['./agent'], cwd: 'in' }, undefined],
    ['cli', { command: ['./agent'] }, `program ${cwd}/agent not found`],
    ['cli', { command: ['./plain.sh'] }, `${cwd}/plain.sh is not executable`],
    ['cli', { command: ['./bin'] }, `program ${cwd}/bin not found`],
    ['cli', { command: 'cat', cwd: 'no/such' }, `the folder ${cwd}/home/no/such does not exist`],
    ['cli', { command: ['agent'], cwd: 'in/agent' }, `the folder ${cwd}/home/in/agent does not exist`],
    ['claude_cli', { command: 'claude' }, 'program `claude` not found on PATH'],
    ['claude_cli', { command: 'agent' }, undefined],
    // The path of an agent is relative to the folder of the targets file.
    ['codex_cli', { command: './codex' }, `program ${cwd}/home/codex not found`],
    ['codex_cli', { command: './in/agent' }, undefined],
    ['cli', { command: ['./agent'], workspace: 'in' }, undefined],
  ])('%s %j: %s', async (type, config, words) => {
    expect(await lacks(type, config)).toBe(words)
  })

  it('are not checked on Windows', async () => {
    expect(await lacks('cli', { command: ['agnt'] }, 'win32')).toBeUndefined()
  })
})
