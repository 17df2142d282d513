import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { REPLAY_AGENT, streamPath } from '../../../support/agents.ts'
import { evaluate, suiteWith } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { recordsIn } from '../../../support/suite-run.ts'

const STARTED = ['-p', '--output-format', 'stream-json', '--verbose']
const CODEX = ['exec', '--json', '--skip-git-repo-check', '--color', 'never']

interface Call {
  readonly args: readonly string[]
  readonly stdin: string
  readonly env: { readonly EXTRA?: string }
}

/** A suite in a folder of its own, with settings for all tests and for some of them. */
function project(agent: object | undefined, tests: readonly object[]): string {
  const folder = folderWith({
    'evals/EVAL.yaml': suiteWith(tests, agent ? { execution: { agent } } : {}),
    'plugins/own/SKILL.md': '---\nname: own\n---\n',
    'evals/plugins/more/.claude-plugin/plugin.json': '{"name": "more"}',
    'evals/plugins/more/skills/extra/SKILL.md': '---\nname: extra\n---\n',
    'evals/docs/guide.md': 'A guide\n',
  })
  const target = (provider: 'claude' | 'codex', fields: object) => ({
    name: provider,
    provider: `${provider}_cli`,
    command: REPLAY_AGENT,
    retries: 0,
    ...fields,
    env: { REPLAY_STREAM: streamPath(`${provider}-report`), REPLAY_LOG: join(folder, `${provider}.log`), EXTRA: 'own' },
  })
  const targets = [
    target('claude', { model: 'large', max_turns: 9, allowed_tools: ['Bash'], plugins: ['plugins/own'] }),
    target('codex', { model: 'large', max_turns: 9 }),
  ]
  return folderWith({ '.assay/targets.yaml': JSON.stringify({ targets }) }, folder)
}

/** The calls of an agent by prompt. */
function callsIn(folder: string, provider: string): Record<string, Call> {
  const calls = recordsIn<Call>(join(folder, `${provider}.log`))
  return Object.fromEntries(calls.map(call => [call.stdin, call]))
}

const claude = { target: 'claude' }
const codex = { target: 'codex' }

describe('`execution.agent`', () => {
  let cwd: string
  let called: Record<string, Call>
  beforeAll(async () => {
    cwd = project({ model: 'small', max_turns: 5, env: { EXTRA: 'suite' } }, [
      { id: 'suite', input: 'suite', execution: claude },
      {
        id: 'test',
        input: 'test',
        execution: {
          ...claude,
          agent: {
            max_turns: 2,
            allowed_tools: ['Read', 'Glob'],
            disallowed_tools: ['WebFetch'],
            plugins: ['plugins/more'],
            add_dirs: ['docs'],
            env: { OTHER: 'test' },
          },
        },
      },
      { id: 'variable', input: 'variable', execution: { ...claude, agent: { env: { EXTRA: 'test' } } } },
      { id: 'codex', input: 'codex', execution: { ...codex, agent: { env: { EXTRA: 'codex' } } } },
    ])
    const run = await evaluate(cwd, ['evals', '--workers', '1'])
    expect(
      run.all.map(({ error }) => error),
      run.stderr,
    ).toEqual([undefined, undefined, undefined, undefined])
    called = { ...callsIn(cwd, 'claude'), ...callsIn(cwd, 'codex') }
  })
  const own = () => ['--plugin-dir', join(cwd, 'plugins/own')]

  it('of a suite is over the fields of the target', () => {
    const { args, env } = called['suite'] ?? expect.unreachable()
    expect(args).toEqual([...STARTED, '--model', 'small', '--max-turns', '5', '--allowedTools', 'Bash', ...own()])
    expect(env.EXTRA).toBe('suite')
  })

  it('of a test is over that of its suite, key by key, with paths from the folder of the suite', () => {
    const { args, env } = called['test'] ?? expect.unreachable()
    expect(args).toEqual([
      ...[...STARTED, '--model', 'small', '--max-turns', '2', '--allowedTools', 'Read,Glob'],
      ...['--disallowedTools', 'WebFetch', ...own(), '--plugin-dir', join(cwd, 'evals/plugins/more')],
      ...['--add-dir', join(cwd, 'evals/docs')],
    ])
    expect(env.EXTRA).toBe('suite')
    expect(called['variable']?.env.EXTRA).toBe('test')
  })

  it('is followed by Codex as far as it can', () => {
    const { args, env } = called['codex'] ?? expect.unreachable()
    expect(args).toEqual([...CODEX, '--model', 'small'])
    expect(env.EXTRA).toBe('codex')
  })
})

describe('the identity of a test with `execution.agent`', () => {
  const settings = { max_turns: 3, plugins: ['plugins/more'], add_dirs: ['docs'] }
  const suite = (agent: object, more: object = {}) =>
    suiteWith(
      [
        { id: 'one', input: 'one', execution: { ...claude, agent } },
        { id: 'two', input: 'two', ...more },
      ],
      {
        execution: claude,
      },
    )
  let cwd: string
  const why = async () => {
    const { stdout, stderr } = await assay(['status', 'evals', '--why', '--json'], { cwd })
    const { tests } = JSON.parse(stdout || stderr) as { tests: { test_id: string; reasons?: string[] }[] }
    return Object.fromEntries(tests.map(({ test_id, reasons = [] }) => [test_id, reasons]))
  }
  beforeAll(async () => {
    cwd = project(undefined, [])
    folderWith({ 'evals/EVAL.yaml': suite(settings) }, cwd)
    const run = await evaluate(cwd, ['evals'])
    expect(
      run.all.map(({ error }) => error),
      run.stderr,
    ).toEqual([undefined, undefined])
  })

  it('is the same if nothing changed', async () => {
    expect(await why()).toEqual({ one: [], two: [] })
  })

  it('includes the settings', async () => {
    folderWith({ 'evals/EVAL.yaml': suite({ ...settings, max_turns: 4 }) }, cwd)
    expect(await why()).toEqual({ one: ['the input or the settings of the agent changed'], two: [] })
  })

  it('includes the content of the folders', async () => {
    folderWith({ 'evals/EVAL.yaml': suite(settings) }, cwd)
    writeFileSync(join(cwd, 'evals/plugins/more/skills/extra/SKILL.md'), 'Another text\n')
    expect(await why()).toEqual({ one: ['evals/plugins/more changed'], two: [] })
    writeFileSync(join(cwd, 'evals/docs/guide.md'), 'Another guide\n')
    expect(await why()).toEqual({ one: ['evals/plugins/more changed', 'evals/docs changed'], two: [] })
  })
})

it('a skill that a plugin of a test brings is judged', async () => {
  const assert = [{ type: 'trigger_judge', skill: 'extra', should_trigger: false }]
  const cwd = project(undefined, [
    { id: 'with', input: 'with', assert, execution: { ...claude, agent: { plugins: ['plugins/more'] } } },
  ])
  const { results, stderr } = await evaluate(cwd, ['evals'])
  expect(results.get('with')?.evaluator_results, stderr).toMatchObject([{ passed: true }])
})

it('evals.json cannot express settings of the agent', async () => {
  const cwd = project({ model: 'small' }, [{ id: 'one', input: 'one' }])
  const { stderr } = await assay(['transpile', 'evals/EVAL.yaml', '--stdout'], { cwd })
  expect(stderr).toContain('evals.json cannot express these parts of `one`: the settings of the agent')
})
