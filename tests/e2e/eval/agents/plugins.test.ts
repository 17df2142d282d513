import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AgentRun, runAgents } from '../../../support/agents.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { recordsOf, runInfoOf } from '../../../support/runs.ts'

const STARTED = ['-p', '--output-format', 'stream-json', '--verbose']
const SKILL = '---\nname: csv-report\ndescription: Makes a report\n---\nMake a table.\n'

/** A plugin with a skill, a command and evals. */
const PLUGIN = {
  'plugins/data/.claude-plugin/plugin.json': '{"name": "data-tools", "version": "1.0.0"}',
  'plugins/data/skills/csv-report/SKILL.md': SKILL,
  'plugins/data/commands/sum.md': 'Sum up.\n',
  'plugins/data/evals/case/prompt.md': 'Sum up\n',
}

describe('a coding agent with plugins', () => {
  let agents: AgentRun
  beforeAll(async () => {
    const claude = { provider: 'claude_cli', stream: 'claude-report' } as const
    agents = await runAgents(
      {
        plugin: { ...claude, target: { plugins: ['plugins/data', 'lone'] } },
        none: { ...claude, target: { plugins: [] } },
        user: { ...claude, target: { plugins: ['plugins/data'], config_dir: 'user' } },
        tools: {
          ...claude,
          target: { allowed_tools: ['Read', 'Bash(git status:*)'], disallowed_tools: ['WebFetch', 'WebSearch'] },
        },
      },
      {
        ...PLUGIN,
        'lone/SKILL.md': SKILL,
        'home/.claude/.credentials.json': '{}',
        'home/.claude/settings.json': '{}',
      },
      { args: ['EVAL.yaml', '--workers', '1'], env: folder => ({ HOME: `${folder}/home` }) },
    )
  })
  const firstCall = (id: string) => agents.calls(id)[0] ?? expect.unreachable(agents.run.stderr)

  it('receives their absolute paths', () => {
    const at = (path: string) => join(agents.folder, path)
    expect(firstCall('plugin').args).toEqual([
      ...STARTED,
      ...['--plugin-dir', at('plugins/data'), '--plugin-dir', at('lone')],
    ])
  })

  it('is isolated, also from an empty list on, unless the target says otherwise', () => {
    expect(firstCall('plugin').config_files).toEqual(['.credentials.json'])
    expect(firstCall('none')).toMatchObject({ args: STARTED, config_files: ['.credentials.json'] })
    expect(firstCall('user').config).toBeUndefined()
  })

  it('receives its tools as one argument each', () => {
    expect(firstCall('tools').args).toEqual([
      ...STARTED,
      ...['--allowedTools', 'Read,Bash(git status:*)', '--disallowedTools', 'WebFetch,WebSearch'],
    ])
  })
})

/** Uses the skill of its plugin if it has one. */
const AGENT = `#!/usr/bin/env node
const print = event => console.log(JSON.stringify(event))
const say = content => print({ type: 'assistant', message: { role: 'assistant', content: [content] } })
const hasPlugin = process.argv.includes('--plugin-dir')
print({ type: 'system', subtype: 'init' })
if (hasPlugin) say({ type: 'tool_use', id: 't1', name: 'Skill', input: { skill: 'data-tools:csv-report' } })
say({ type: 'text', text: 'Total: 7' })
print({ type: 'result', subtype: 'success', is_error: false, result: 'Total: 7' })
`

/** A project with a target that has the plugin. */
function project(): string {
  const target = { name: 'default', provider: 'claude_cli', command: './agent.mjs', plugins: ['plugins/data'] }
  const triggered = (skill: string) => ({ type: 'trigger_judge', skill })
  const test = {
    id: 'report',
    criteria: 'Sums up',
    input: 'Sum up sales.csv',
    assert: [
      { type: 'contains', value: 'Total: 7' },
      triggered('csv-report'),
      triggered('data-tools:csv-report'),
      { ...triggered('sum'), should_trigger: false },
    ],
  }
  const folder = folderWith({
    ...PLUGIN,
    'EVAL.yaml': JSON.stringify({ name: 'plugins', tests: [test] }),
    '.assay/targets.yaml': JSON.stringify({ targets: [target] }),
  })
  writeFileSync(join(folder, 'agent.mjs'), AGENT, { mode: 0o755 })
  return folder
}

describe('`--ablate plugins`', () => {
  const cwd = project()
  beforeAll(async () => {
    const { code, stderr } = await assay(['eval', 'EVAL.yaml', '--ablate', 'plugins'], { cwd })
    expect(code, stderr).toBe(0)
  })
  const checksOn = (name: string) => recordsOf(cwd).find(({ target }) => target === name)?.evaluator_results

  it('judges the use of skills and commands only where the plugin is', () => {
    const [total, ...triggers] = checksOn('default') ?? []
    expect(total).toMatchObject({ passed: true })
    expect(triggers).toMatchObject([{ passed: true }, { passed: true }, { passed: true }])
    const without = checksOn('default-without-plugins')
    expect(without).toMatchObject([
      { passed: true },
      { not_applicable: true },
      { not_applicable: true },
      { not_applicable: true },
    ])
  })

  it('records the names of the skills, alone and with that of the plugin', () => {
    expect(runInfoOf(cwd).target_skills).toEqual([
      { target: 'default', skills: ['csv-report', 'data-tools:csv-report', 'sum', 'data-tools:sum'] },
      { target: 'default-without-plugins', skills: [] },
    ])
  })
})

describe('the content of a plugin', () => {
  let cwd: string
  const statusAfter = async (path: string, text: string) => {
    writeFileSync(join(cwd, path), text)
    const { stdout, stderr } = await assay(['status', 'EVAL.yaml', '--why'], { cwd })
    return `${stdout}${stderr}`
  }
  beforeAll(async () => {
    cwd = project()
    expect((await assay(['eval', 'EVAL.yaml'], { cwd })).code).toBe(0)
  })

  it('does not include its evals', async () => {
    expect(await statusAfter('plugins/data/evals/case/prompt.md', 'Another prompt\n')).toContain('0 changed')
  })

  it('is part of the identity of the target, the manifest too', async () => {
    const { target_files } = runInfoOf(cwd)
    expect(target_files?.map(({ file }) => file)).toEqual([
      'plugins/data/commands/sum.md',
      'plugins/data/skills/csv-report/SKILL.md',
      'plugins/data/.claude-plugin/plugin.json',
      'agent.mjs',
    ])
    const manifest = '.claude-plugin/plugin.json'
    expect(await statusAfter(`plugins/data/${manifest}`, '{"name": "data-tools", "version": "2.0.0"}')).toContain(
      `plugins/data/${manifest} changed`,
    )
    expect(await statusAfter('plugins/data/skills/csv-report/SKILL.md', `${SKILL}More.\n`)).toContain(
      'plugins/data/skills/csv-report/SKILL.md changed',
    )
  })
})
