import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { folderWith, type Result } from '../../support/program.ts'
import { targets } from './targets-command.ts'

const MANY = `targets:
  - { name: table, provider: mock, responses: [{ pattern: a, response: b }] }
  - name: agent
    provider: cli
    command: [node, agent.mjs]
    judge_target: table
  - { name: nowhere, provider: cli, command: [no-such-agent, --fast] }
  - { name: shell, provider: cli, command: "no-such-agent | cat" }
  - name: service
    provider: http
    url: https://me:\${{ SERVICE_PASSWORD }}@example.com/chat?key=\${{ SERVICE_PASSWORD }}
  - { name: gpt, provider: openai, model: gpt-5-mini, judge_target: tabel }
  - { name: claude, provider: anthropic, model: claude-sonnet-4-5 }
  - { nmae: misspelt, provider: mock, response: x }
  - just a text
`

describe('assay targets', () => {
  const cwd = folderWith({ '.assay/targets.yaml': MANY, 'sub/x.txt': '' })
  const env = { OPENAI_API_KEY: 'sk-OfTheTest1', SERVICE_PASSWORD: 'pass-OfTheTest1' }
  let shown: Result
  let json: Result
  let data: { targets: Record<string, unknown>[] }
  beforeAll(async () => {
    ;[shown, json] = await Promise.all([targets([], cwd, env), targets(['--json'], join(cwd, 'sub'), env)])
    data = JSON.parse(json.stdout)
  })

  it('shows each target with its problems', () => {
    expect([shown.code, shown.stderr]).toEqual([2, ''])
    expect(shown.stdout).toBe(`ok       table      mock       1 answer by pattern
ok       agent      cli        node agent.mjs, judged by table
missing  nowhere    cli        no-such-agent --fast
    program \`no-such-agent\` not found on PATH
ok       shell      cli        no-such-agent | cat
ok       service    http       POST https://example.com/chat?…
mistake  gpt        openai     gpt-5-mini, judged by tabel
    .assay/targets.yaml:12:69 error unknown-target
      no target named \`tabel\` in this file
      11 |     url: https://me:\${{ SERVICE_PASSWORD }}@example.com/chat?key=\${{ SERVICE_PASSWORD }}
      12 |   - { name: gpt, provider: openai, model: gpt-5-mini, judge_target: tabel }
         |                                                                     ^^^^^
      hint: did you mean \`table\`?
missing  claude     anthropic  claude-sonnet-4-5
    .assay/targets.yaml:13:31 error missing-variable
      this target has no \`api_key\`, and the variable \`ANTHROPIC_API_KEY\` is not set
      12 |   - { name: gpt, provider: openai, model: gpt-5-mini, judge_target: tabel }
      13 |   - { name: claude, provider: anthropic, model: claude-sonnet-4-5 }
         |                               ^^^^^^^^^
      hint: set it in the environment, or in a \`.env\` file beside the suite or above it
mistake  (no name)  mock
    .assay/targets.yaml:14:7 error unknown-key
      unknown key \`nmae\`
      13 |   - { name: claude, provider: anthropic, model: claude-sonnet-4-5 }
      14 |   - { nmae: misspelt, provider: mock, response: x }
         |       ^^^^
      hint: did you mean \`name\`?
mistake  (no name)  -
    .assay/targets.yaml:15:5 error wrong-type
      this must be a mapping, found the string \`just a text\`
      14 |   - { nmae: misspelt, provider: mock, response: x }
      15 |   - just a text
         |     ^^^^^^^^^^^

9 targets in .assay/targets.yaml: 4 ok, 3 invalid, 2 with something missing
`)
  })

  it('--json prints one document, also from a subfolder', () => {
    expect([json.code, json.stderr]).toEqual([2, ''])
    expect(data).toMatchObject({ file: '../.assay/targets.yaml', diagnostics: [] })
    expect(data.targets).toHaveLength(9)
    expect(data.targets[1]).toEqual({
      ...{ name: 'agent', provider: 'cli', about: 'node agent.mjs', judge_target: 'table', line: 3, status: 'ok' },
      diagnostics: [],
    })
    expect(data.targets[2]).toMatchObject({
      status: 'missing',
      lacks: 'program `no-such-agent` not found on PATH',
    })
    expect(data.targets[6]).toMatchObject({
      ...{ name: 'claude', about: 'claude-sonnet-4-5', status: 'missing' },
      diagnostics: [{ file: '../.assay/targets.yaml', line: 13, column: 31, code: 'missing-variable' }],
    })
    expect(data.targets.map(({ status }) => status)).toEqual([
      'ok',
      'ok',
      'missing',
      'ok',
      'ok',
      'mistake',
      'missing',
      'mistake',
      'mistake',
    ])
  })

  it('shows no secret', () => {
    for (const text of [shown.stdout, json.stdout]) expect(text).not.toContain('OfTheTest1')
  })

  it('shows only the named target', async () => {
    const { code, stdout } = await targets(['agent'], cwd)
    expect(code).toBe(0)
    expect(stdout).toBe('ok  agent  cli  node agent.mjs, judged by table\n\n1 target in .assay/targets.yaml: 1 ok\n')
  })

  it.each([
    ['agnet', 'did you mean `agent`?'],
    ['x\u001b[2J\ny', 'the targets are table, agent, nowhere, shell, service, gpt, claude'],
  ])('suggests a name for the unknown target %j', async (name, hint) => {
    const { code, stdout, stderr } = await targets([name], cwd, env)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `No target named ${name.replace('\u001b', '␛').replace('\n', '↵')} in .assay/targets.yaml: ${hint}\n`,
    )
  })
})

describe('assay targets with an unusual targets file', () => {
  it('suggests `assay init` if no file is found', async () => {
    const { code, stdout, stderr } = await targets([], folderWith())
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^No targets file found: .*`assay init`\.\n$/s)
  })

  it.each([
    ['is missing', {}, 'error file-missing'],
    ['is empty', { 't.yaml': '' }, 'error wrong-type\n  this file is empty'],
    ['is broken', { 't.yaml': 'targets: [\n' }, 'error yaml-syntax'],
    ['has no targets', { 't.yaml': 'targets: []\n' }, 'error out-of-range'],
    ['is a folder', { 't.yaml/x': '' }, 'error file-unreadable'],
  ])('reports a file that %s', async (_, files, message) => {
    const { code, stdout, stderr } = await targets(['--targets', 't.yaml', 'gpt', '--json'], folderWith(files))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('No target named')
  })

  it('--json has the diagnostics of an invalid file', async () => {
    const cwd = folderWith({ 'targets.yaml': 'targets: [\n' })
    const [json, text] = await Promise.all([targets(['--json'], cwd), targets([], cwd)])
    expect([json.code, json.stderr, text.code, text.stdout]).toEqual([2, '', 2, ''])
    expect(JSON.parse(json.stdout)).toMatchObject({
      file: 'targets.yaml',
      targets: [],
      diagnostics: [{ file: 'targets.yaml', code: 'yaml-syntax', line: 2 }],
    })
    expect(text.stderr).toContain('targets.yaml:2:1 error yaml-syntax')
  })

  it('shows both targets with the same name, and a diagnostic for the second', async () => {
    const two = 'targets:\n  - {name: a, provider: mock, response: x}\n  - {name: a, provider: mock, response: y}\n'
    const { code, stdout, stderr } = await targets(['--targets', 't.yaml', 'a'], folderWith({ 't.yaml': two }))
    expect([code, stderr]).toEqual([2, ''])
    expect(stdout).toBe(`ok       a  mock  one answer
mistake  a  mock  one answer
    t.yaml:3:12 error duplicate-name
      a target named \`a\` is already defined above
      2 |   - {name: a, provider: mock, response: x}
      3 |   - {name: a, provider: mock, response: y}
        |            ^
      hint: give each target its own name

2 targets in t.yaml: 1 ok, 1 invalid
`)
  })

  it('aligns 200 targets and escapes control characters in their names', async () => {
    const hostile = { name: 'a\u001b]0;t\u0007\nok  fake  mock', provider: 'mock', response: 'x' }
    const wide = {
      name: '日本語のターゲット',
      provider: 'cli',
      command: ['cat', '\u202e', '\u001b[2J', '長'.repeat(300)],
    }
    const long = { name: 'l'.repeat(300), provider: 'mock', response: 'x' }
    const many = Array.from({ length: 197 }, (_, index) => ({ name: `t${index}`, provider: 'mock', response: 'x' }))
    const file = JSON.stringify({ targets: [hostile, wide, long, ...many] })
    const { code, stdout } = await targets([], folderWith({ 'targets.yaml': file }))
    expect(code).toBe(0)
    const lines = stdout.split('\n')
    expect(lines).toHaveLength(200 + 3)
    expect(lines[0]).toBe('ok  a␛]0;t␇↵ok  fake  mock          mock  one answer')
    expect(lines[1]).toBe(`ok  日本語のターゲット              cli   cat \ufffd ␛[2J ${'長'.repeat(109)}…`)
    expect(lines[2]).toBe(`ok  ${'l'.repeat(300)}  mock  one answer`)
    expect(lines[3]).toBe('ok  t0                              mock  one answer')
  })
})
