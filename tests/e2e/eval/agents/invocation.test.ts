import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AgentRun, runAgents } from '../../../support/agents.ts'

const SKILL = '---\nname: csv-report\ndescription: Makes a report\n---\nMake a table.\n'
const STARTED = ['-p', '--output-format', 'stream-json', '--verbose']
const CODEX = ['exec', '--json', '--skip-git-repo-check', '--color', 'never']

let agents: AgentRun
beforeAll(async () => {
  const skills = ['skills']
  const claude = { provider: 'claude_cli', stream: 'claude-report' } as const
  const codex = { provider: 'codex_cli', stream: 'codex-report' } as const
  const input = [
    { role: 'system', content: 'Be brief,\nsay "yes".' },
    { role: 'user', content: '--- Which file?\n' },
    { role: 'assistant', content: 'All of them' },
    {
      role: 'user',
      content: [
        { type: 'text', value: 'This one' },
        { type: 'file', value: 'notes.txt' },
      ],
    },
  ]
  agents = await runAgents(
    {
      plain: { ...claude, test: { input: '--- it begins like an option' } },
      options: {
        ...claude,
        target: {
          model: 'claude-sonnet-4-5',
          max_turns: 3,
          permission_mode: 'acceptEdits',
          args: ['--allowedTools', 'Bash(git *)'],
        },
        env: { EXTRA: 'yes' },
      },
      conversation: { ...claude, test: { input }, target: { system_prompt: 'Not this one' } },
      'system-prompt': { ...claude, target: { system_prompt: 'You are $HOME `x`' } },
      'in-a-folder': { ...claude, target: { cwd: 'sub' } },
      'own-configuration': { ...claude, target: { config_dir: 'my-claude' } },
      isolated: { ...claude, target: { config_dir: 'isolated' } },
      skills: { ...claude, target: { skills } },
      'no-skills': { ...claude, target: { skills: [] } },
      'codex-plain': codex,
      'codex-options': {
        ...codex,
        target: { model: 'gpt-5.1-codex', permission_mode: 'workspace-write', system_prompt: 'Say "hi"\nand\\more' },
      },
      'codex-bypass': { ...codex, target: { permission_mode: 'bypass', args: ['-c', 'model_provider=x'] } },
      'codex-skills': { ...codex, target: { skills: ['skills/csv-report'] } },
    },
    {
      'skills/csv-report/SKILL.md': SKILL,
      'skills/csv-report/scripts/run.py': 'print(1)\n',
      'skills/other/SKILL.md': SKILL.replace('csv-report', 'other'),
      'skills/not-one/README.md': 'nothing\n',
      'sub/here.txt': '',
      'notes.txt': 'a note\n',
      'home/.codex/auth.json': '{"token":"abc"}',
      'home/.codex/config.toml': 'model = "x"\n',
      'home/.claude/.credentials.json': '{}',
      'home/.claude/settings.json': '{}',
    },
    // Sequential, since they share a folder.
    { args: ['--workers', '1'], env: folder => ({ CLAUDECODE: '1', HOME: `${folder}/home` }) },
  )
})

const firstCall = (id: string) => agents.calls(id)[0] ?? expect.unreachable(agents.run.stderr)

describe('an agent receives', () => {
  it('the prompt on stdin, and no options but those of the target', () => {
    expect(firstCall('plain')).toMatchObject({
      args: STARTED,
      stdin: '--- it begins like an option',
      cwd: agents.folder,
    })
    expect(firstCall('codex-plain')).toMatchObject({ args: CODEX, stdin: 'Make a report', cwd: agents.folder })
  })

  it('the options of the target as its own flags, and additional arguments unchanged', () => {
    expect(firstCall('options').args).toEqual([
      ...STARTED,
      ...['--model', 'claude-sonnet-4-5', '--max-turns', '3', '--permission-mode', 'acceptEdits'],
      ...['--allowedTools', 'Bash(git *)'],
    ])
    expect(firstCall('options').env.EXTRA).toBe('yes')
    expect(firstCall('codex-options').args).toEqual([
      ...CODEX,
      ...['--model', 'gpt-5.1-codex', '--sandbox', 'workspace-write'],
      ...['--config', 'developer_instructions="Say \\"hi\\"\\nand\\\\more"'],
    ])
    expect(firstCall('codex-bypass').args).toEqual([
      ...CODEX,
      ...['--dangerously-bypass-approvals-and-sandbox', '-c', 'model_provider=x'],
    ])
  })

  it('system messages separately, and all others with their roles', () => {
    expect(firstCall('conversation').args).toEqual([...STARTED, '--append-system-prompt', 'Be brief,\nsay "yes".'])
    expect(firstCall('conversation').stdin).toBe(
      `# user\n--- Which file?\n\n\n# assistant\nAll of them\n\n# user\nThis one\n\n<file path="${agents.folder}/notes.txt">\na note\n\n</file>`,
    )
    expect(firstCall('system-prompt')).toMatchObject({
      args: [...STARTED, '--append-system-prompt', 'You are $HOME `x`'],
      stdin: 'Make a report',
    })
  })

  it('its working folder', () => {
    expect(firstCall('in-a-folder')).toMatchObject({ cwd: `${agents.folder}/sub`, here: ['here.txt'] })
  })

  it('no variable that marks a nested agent', () => {
    expect(firstCall('plain').env.CLAUDECODE).toBeUndefined()
  })
})

describe('the configuration of an agent', () => {
  it("is the user's own by default", () => {
    expect(firstCall('plain').config).toBeUndefined()
  })

  it('may be a folder, relative to that of the targets', () => {
    expect(firstCall('own-configuration').config).toBe(`${agents.folder}/my-claude`)
  })

  it('may be isolated: empty but for the login, and removed afterwards', () => {
    const { config = '', config_files } = firstCall('isolated')
    expect(config_files).toEqual(['.credentials.json'])
    expect(firstCall('codex-skills').credentials).toBe('{"token":"abc"}')
    expect(() => readFileSync(config)).toThrow('ENOENT')
  })

  it('is isolated with an empty list of skills too', () => {
    expect(firstCall('no-skills').config_files).toEqual(['.credentials.json'])
  })

  it('is isolated with skills, and contains all of their files', () => {
    expect(firstCall('skills').config_files).toEqual([
      '.credentials.json',
      'skills',
      'skills/csv-report',
      'skills/csv-report/SKILL.md',
      'skills/csv-report/scripts',
      'skills/csv-report/scripts/run.py',
      'skills/other',
      'skills/other/SKILL.md',
    ])
    expect(firstCall('codex-skills').config_files).toEqual([
      'auth.json',
      'skills',
      'skills/csv-report',
      'skills/csv-report/SKILL.md',
      'skills/csv-report/scripts',
      'skills/csv-report/scripts/run.py',
    ])
  })
})
