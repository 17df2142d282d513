import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { REPLAY_AGENT, streamPath } from '../../../support/agents.ts'
import { type Evaluated, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { describeWithBubblewrap } from '../../../support/external/bubblewrap.ts'
import { folderWith } from '../../../support/program.ts'
import { projectFolder, removeProjects } from '../../../support/sandboxes.ts'

// Replaces its environment and its files by what it sees, for the checks.
const PROBE = `import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
const { CLAUDE_CONFIG_DIR, CODEX_HOME, HOME } = process.env
const config = CLAUDE_CONFIG_DIR ?? CODEX_HOME
const names = Object.keys(process.env).filter(name => /_KEY$|^OWN$/.test(name)).sort()
const flag = process.argv.indexOf('--plugin-dir')
const plugin = flag < 0 ? undefined : process.argv[flag + 1]
const files = plugin && readdirSync(plugin).sort()
const skill = plugin && readFileSync(plugin + '/skills/csv-report/SKILL.md', 'utf8')
const manifest = plugin && existsSync(plugin + '/.claude-plugin/plugin.json')
const suite = existsSync(process.env.SUITE)
const evals = plugin && existsSync(plugin + '/evals/case')
const seen = { home: readdirSync(HOME), config: readdirSync(config).sort(), names, suite, files, skill, manifest, evals }
writeFileSync(config + '/session.json', '{}')
writeFileSync('seen.json', JSON.stringify(seen))
`

describeWithBubblewrap('a coding agent in a sandbox', () => {
  const folder = projectFolder({
    'probe.mjs': PROBE,
    'skills/csv-report/SKILL.md': '---\nname: csv-report\n---\n',
    '.claude-plugin/plugin.json': '{"name": "whole"}',
    'evals/case/prompt.md': 'Sum up\n',
    'plugins/data/.claude-plugin/plugin.json': '{"name": "data"}',
    'plugins/data/skills/csv-report/SKILL.md': 'Reports\n',
    'plugins/data/evals/case/prompt.md': 'Sum up\n',
    'home/.claude/.credentials.json': '{}',
    'home/.claude/settings.json': '{}',
    'home/.codex/auth.json': '{}',
    'prepared/settings.json': '{}',
  })
  let ended: Evaluated
  /** What the agent of a test saw. */
  const seen = (id: string) => {
    const { workspace_path = '', error } = ended.results.get(id) ?? {}
    if (error) throw new Error(JSON.stringify(error))
    return JSON.parse(readFileSync(join(workspace_path, 'seen.json'), 'utf8'))
  }

  beforeAll(async () => {
    cpSync(REPLAY_AGENT, join(folder, 'agents/replay.mjs'))
    cpSync(streamPath('claude-report'), join(folder, 'streams/claude.jsonl'))
    cpSync(streamPath('codex-report'), join(folder, 'streams/codex.jsonl'))
    const agent = (name: string, provider: 'claude' | 'codex', fields: object = {}) => ({
      ...{
        name,
        provider: `${provider}_cli`,
        command: 'agents/replay.mjs',
        workspace: 'app',
        sandbox: true,
        retries: 0,
      },
      readable: ['streams', 'probe.mjs'],
      env: {
        REPLAY_STREAM: join(folder, `streams/${provider}.jsonl`),
        REPLAY_RUN: join(folder, 'probe.mjs'),
        SUITE: join(folder, 'EVAL.yaml'),
        OWN: '1',
      },
      ...fields,
    })
    const targets = [
      agent('claude', 'claude'),
      agent('codex', 'codex'),
      agent('with-skill', 'claude', { skills: ['skills'] }),
      agent('prepared', 'claude', { config_dir: 'prepared' }),
      agent('with-plugin', 'claude', { plugins: ['plugins/data'] }),
      agent('plugin-project', 'claude', { plugins: ['.'] }),
    ]
    // A failed check keeps the workspace.
    const assert = [{ type: 'contains', value: 'something else' }]
    const tests = targets.map(({ name }) => ({ id: name, input: 'Hello', execution: { target: name }, assert }))
    folderWith({ 'EVAL.yaml': suiteWith(tests), '.assay/targets.yaml': JSON.stringify({ targets }) }, folder)
    const keys = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', JUDGE_KEY: 'j' }
    ended = await evaluate(folder, ['EVAL.yaml'], { HOME: join(folder, 'home'), ...keys })
  })
  afterAll(removeProjects)

  it('has its login in an isolated configuration, and an empty home folder', () => {
    expect(seen('claude')).toMatchObject({ home: [], config: ['.credentials.json'], suite: false })
    expect(seen('codex')).toMatchObject({ home: [], config: ['auth.json'], suite: false })
  })

  it('has its plugins, without their evals', () => {
    const seenThere = { manifest: true, evals: false, suite: false }
    expect(seen('with-plugin')).toMatchObject({ ...seenThere, skill: 'Reports\n' })
    expect(seen('plugin-project')).toMatchObject({ ...seenThere, skill: '---\nname: csv-report\n---\n' })
    expect(seen('plugin-project').files).not.toContain('.assay')
  })

  it('has its skills', () => {
    expect(seen('with-skill')).toMatchObject({ config: ['.credentials.json', 'skills'] })
  })

  it('writes to a copy of a configuration that was prepared', () => {
    expect(seen('prepared')).toMatchObject({ config: ['settings.json'] })
    expect(readdirSync(join(folder, 'prepared'))).toEqual(['settings.json'])
  })

  it('inherits the variables of its own service, and no other keys', () => {
    expect(seen('claude').names).toEqual(['ANTHROPIC_API_KEY', 'OWN'])
    expect(seen('codex').names).toEqual(['OPENAI_API_KEY', 'OWN'])
  })

  it('answers with its events', () => {
    for (const { answer, error } of ended.all) expect([error, answer?.length]).toEqual([undefined, expect.any(Number)])
  })
})

describeWithBubblewrap('a judge in a sandbox', () => {
  afterAll(removeProjects)

  it('reads the folder that it inspects, cannot change it, and sees no records', async () => {
    const folder = projectFolder({
      'agents/judge.sh': `ls -A > /tmp/names
touch by-judge 2>/dev/null || echo read-only >> /tmp/names
ls .assay/* >> /tmp/names 2>&1
printf '{"score": 1, "reasoning": "%s"}' "$(tr '\\n' ' ' < /tmp/names)"`,
    })
    const judge = ['sh', join(folder, 'agents/judge.sh')]
    const targets = [
      { name: 'agent', provider: 'cli', command: 'echo made > made.txt; echo ok', workspace: 'app' },
      {
        name: 'linker',
        provider: 'cli',
        command: `W=$PWD; cd /; rm -r $W; ln -s ${folder}/home $W; echo ok`,
        workspace: 'app',
      },
      { name: 'here', provider: 'cli', command: 'echo ok' },
      { name: 'judge', provider: 'cli', command: judge, workspace: 'app', sandbox: true, output_format: 'text' },
    ]
    const test = (id: string) => ({
      id,
      input: 'Hello',
      execution: { target: id },
      assert: [{ type: 'agent_judge', prompt: 'Look.' }],
    })
    folderWith(
      {
        'EVAL.yaml': suiteWith(['agent', 'here', 'linker'].map(test)),
        '.assay/targets.yaml': JSON.stringify({ targets }),
      },
      folder,
    )
    const { results, stderr } = await evaluate(folder, [], { HOME: join(folder, 'home') })
    const reasoning = (id: string) =>
      results.get(id)?.evaluator_results?.[0]?.reasoning ?? JSON.stringify([results.get(id), stderr])
    expect(reasoning('agent')).toMatch(/^a\.txt made\.txt sub read-only /)
    expect(reasoning('here')).toMatch(/ EVAL\.yaml .* read-only .*No such file/)
    expect(reasoning('here')).not.toContain('targets.yaml')
    expect(results.get('linker')).toMatchObject({
      verdict: 'error',
      error: { message: expect.stringContaining('is a link') },
    })
  })
})
