import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AgentRun, event, runAgents } from '../../../support/agents.ts'
import { endLeftovers, linesOf, runFolder } from '../../../support/suite-run.ts'

afterEach(endLeftovers)

const RESULT = event({ type: 'result', subtype: 'success', is_error: false, result: 'ok' })
const HALF = event({ type: 'assistant', message: { id: 'm', content: 'ok so far' } })
const CALL = { type: 'tool_use', id: 't', name: 'Bash', input: {} }
const CALLED = event({ type: 'assistant', message: { id: 'm', content: [CALL] } })
const claude = (...stream: string[]) => ({ provider: 'claude_cli', stream }) as const

const KEY = `sk-${'Zq8MarkerRun7Tz5Kx'.repeat(4)}`
const PEM = Array.from({ length: 30 }, (_, line) => `${line}ZpemMarker${line}`).join('\n')
const keyEnv = { KEY: '${{ MY_KEY }}', PEM: '${{ MY_PEM }}' }

/** Modules that the stand-in agent runs before it prints its stream. */
const MODULES = {
  'hangs.mjs': 'setInterval(() => {}, 1000)\n',
  'holds.mjs': `import { spawn } from 'node:child_process'
spawn('sleep', ['300'], { stdio: 'inherit' }).unref()\n`,
  'daemon.mjs': `import { spawn } from 'node:child_process'
spawn('sh', ['-c', 'for i in 1 2 3 4 5 6 7 8; do echo noise; sleep 0.5; done'], { stdio: 'inherit', detached: true }).unref()\n`,
  'long-words.mjs': "process.stderr.write('key ' + process.env.KEY + '.'.repeat(1975) + '\\n')\n",
  'many-words.mjs': "process.stderr.write(process.env.PEM + '\\n')\n",
  'all-over.mjs': `const key = process.env.KEY
console.log(JSON.stringify({ type: 'assistant', message: { id: key, content: [{ type: 'text', text: 'ok ' + key }] } }))
console.log(JSON.stringify({ type: 'assistant', message: { id: 'n', content: [{ type: 'tool_use', id: 'x', name: key, input: { [key]: key } }] } }))
console.log(JSON.stringify({ type: 'unknown', key }))
console.log(JSON.stringify({ type: 'result', is_error: false, result: 'not it ' + key }))\n`,
}
const running = (module: string, env: object = {}) => ({ REPLAY_RUN: `\${{ FOLDER }}/${module}`, ...env })

let agents: AgentRun
beforeAll(async () => {
  const reply = { score: 1, hits: [], misses: [], reasoning: 'fine' }
  agents = await runAgents(
    {
      crlf: claude(`${HALF}\r`, `${RESULT}\r`),
      'byte-order-mark': claude(`\ufeff${RESULT}`),
      nul: claude(`\0${HALF}`, HALF, RESULT),
      surrogate: claude('{"type":"result","is_error":false,"result":"ok \\ud800"}'),
      'hangs-after-its-result': { ...claude(RESULT), env: running('hangs.mjs'), target: { timeout_seconds: 10 } },
      'child-holds-stdout': { ...claude(RESULT), env: running('holds.mjs') },
      'daemon-goes-on-talking': { ...claude(RESULT), env: running('daemon.mjs') },
      missing: { ...claude(RESULT), target: { command: 'no-such-agent' } },
      'a-folder': { ...claude(RESULT), target: { command: './sub' } },
      'not-executable': { ...claude(RESULT), target: { command: './sub/notes.txt' } },
      'no-folder': { ...claude(RESULT), target: { cwd: 'nowhere' } },
      'long-system-prompt': { ...claude(RESULT), target: { system_prompt: 'é'.repeat(100_000) } },
      'nul-in-system-prompt': { ...claude(RESULT), target: { system_prompt: 'a\0b' } },
      'file-in-system-message': {
        ...claude(RESULT),
        test: {
          input: [
            { role: 'system', content: [{ type: 'file', value: 'sub/notes.txt' }] },
            { role: 'user', content: 'Make a report' },
          ],
        },
      },
      'odd-system-prompt': {
        provider: 'codex_cli',
        stream: 'codex-report',
        target: { system_prompt: 'Say\x7f "no" \u2028 é 😀\n\t\b\x01\\' },
      },
      'long-prompt': { ...claude(RESULT), test: { input: `a\0b${'é'.repeat(2_500_000)}` } },
      'variable-in-env': { ...claude(RESULT), env: { CLAUDE_CONFIG_DIR: '/else' }, target: { config_dir: 'isolated' } },
      'absolute-configuration': { ...claude(RESULT), target: { config_dir: '/some/where' } },
      'key-in-long-words': { ...claude(), env: running('long-words.mjs', keyEnv) },
      'key-in-many-words': { ...claude(), env: running('many-words.mjs', keyEnv) },
      'key-all-over': { ...claude(), env: running('all-over.mjs', keyEnv) },
      judged: { ...claude(RESULT), target: { judge_target: 'judge' }, test: { assert: [{ type: 'llm_judge' }] } },
      judge: {
        ...claude(event({ ...JSON.parse(RESULT), result: JSON.stringify(reply) })),
        target: { workspace: 'sub' },
      },
    },
    { ...MODULES, 'sub/notes.txt': 'Be kind.' },
    { args: ['-v'], env: folder => ({ FOLDER: folder, MY_KEY: KEY, MY_PEM: PEM }) },
  )
})

const calls = (id: string) => agents.calls(id)[0] ?? expect.unreachable(agents.run.stderr)

describe('unusual bytes in the stream of an agent are accepted', () => {
  it.each(['crlf', 'byte-order-mark', 'nul', 'surrogate'])('%s', id => {
    expect(agents.record(id)).toMatchObject({ verdict: 'pass', answer: expect.stringMatching(/^ok/) })
  })
})

describe('an agent that has reported its result', () => {
  it.each(['hangs-after-its-result', 'child-holds-stdout', 'daemon-goes-on-talking'])('has answered: %s', id => {
    expect(agents.record(id)).toMatchObject({ verdict: 'pass', answer: 'ok' })
  })
})

describe('an agent that cannot be started', () => {
  it.each([
    ['missing', 'program not found'],
    ['a-folder', 'permission denied'],
    ['not-executable', 'permission denied'],
    ['no-folder', 'could not be started: the folder '],
  ])('%s', (id, words) => {
    expect(agents.record(id).error).toMatchObject({
      code: 'program-missing',
      message: expect.stringContaining(words),
    })
  })

  it.each(['long-system-prompt', 'nul-in-system-prompt'])('gets no advice that applies only to prompts: %s', id => {
    const { error, verdict } = agents.record(id)
    expect(error?.message ?? verdict).not.toContain('{PROMPT_FILE}')
  })
})

describe('an agent receives', () => {
  it('the files of system messages', () => {
    const { args, stdin } = calls('file-in-system-message')
    expect([...args, stdin].join('\n')).toContain('Be kind.')
  })

  it('instructions as valid TOML, with DEL escaped', () => {
    const written = calls('odd-system-prompt').args.at(-1)
    expect(written).toBe('developer_instructions="Say\\u007f \\"no\\" \u2028 é 😀\\n\\t\\b\\u0001\\\\"')
  })

  it('prompts of several megabytes unchanged', () => {
    expect(calls('long-prompt').stdin).toBe(`a\0b${'é'.repeat(2_500_000)}`)
  })

  it('an isolated configuration, regardless of its environment', () => {
    expect(calls('variable-in-env').config).not.toBe('/else')
  })

  it('a configuration folder by its absolute path', () => {
    expect(calls('absolute-configuration').config).toBe('/some/where')
  })
})

describe('a key of an agent', () => {
  const marks = ['MarkerRun', 'ZpemMarker']

  it.each(['key-in-long-words', 'key-in-many-words'])('is not printed in parts either: %s', id => {
    const { message = '' } = agents.record(id).error ?? {}
    expect(message).toContain('; stderr: ')
    expect(marks.filter(mark => message.includes(mark))).toEqual([])
  })

  it('is in no record and no output if the agent prints it', () => {
    const lines = ['answers', 'results'].flatMap(name => linesOf(join(runFolder(agents.folder), `${name}.jsonl`)))
    const own = lines.filter(line => line.includes('"test_id":"key-all-over"'))
    expect(own).toHaveLength(2)
    for (const text of own) expect(text).toContain('[MY_KEY]')
    expect(own.filter(text => text.includes('MarkerRun'))).toEqual([])
    const shown = agents.run.stderr.split('--- key-all-over')[1]?.split('---')[0]
    expect(shown).toContain('answer: not it [MY_KEY]')
  })
})

describe('an agent that judges', () => {
  it('runs in the workspace, not in the folder of the suite', () => {
    expect(agents.record('judged').verdict).toBe('pass')
    // One of the two calls is its own test.
    expect(agents.calls('judge')).toHaveLength(2)
    expect(agents.calls('judge').map(({ cwd }) => cwd)).not.toContain(agents.folder)
  })
})

describe('one agent cannot stop the others', () => {
  const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  it.each([
    ['that no reader expects', '{"type":{"toString":1}}'],
    [
      'in 20,000 lists, one in another',
      `{"type":"user","message":{"content":[{"tool_use_id":"t","content":${nested}}]}}`,
    ],
  ])('with an event %s', async (_, line) => {
    const { run } = await runAgents({
      bad: claude(CALLED, line, RESULT),
      good: { ...claude(RESULT), env: { REPLAY_PAUSE: '1000' } },
    })
    expect(run.results.get('good')?.verdict).toBe('pass')
    expect(run.results.has('bad')).toBe(true)
    expect(run.stderr).not.toContain('Cannot write the records')
  })
})
