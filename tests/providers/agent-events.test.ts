import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerSchema, NoAnswer } from '../../src/model/answer.ts'
import type { AgentEvents } from '../../src/providers/shared/agents/agent-events.ts'
import { ClaudeEvents } from '../../src/providers/shared/agents/claude-events.ts'
import { unwrapShellCommand } from '../../src/providers/shared/agents/codex-calls.ts'
import { CodexEvents } from '../../src/providers/shared/agents/codex-events.ts'
import { streamLines } from '../support/agents.ts'
import { examples } from '../support/random-examples.ts'

/** Reads lines at these times; by default one every 100 ms. */
function read<Events extends AgentEvents>(events: Events, lines: readonly string[], times?: readonly number[]): Events {
  lines.forEach((line, index) => {
    events.read(JSON.parse(line), times?.[index] ?? index * 100)
  })
  return events
}

function timesOf(events: AgentEvents): Record<string, number | undefined>[] {
  const calls = events.answer().output_messages?.flatMap(({ tool_calls = [] }) => tool_calls) ?? []
  return calls.map(({ tool, duration_ms }) => ({ [tool]: duration_ms }))
}

describe('measures the duration of a call between its events', () => {
  it('Claude Code, also for concurrent calls', () => {
    const times = timesOf(read(new ClaudeEvents(), streamLines('claude-report')))
    expect(times).toEqual([{ Skill: 100 }, { Read: 200 }, { Bash: 200 }, { Write: 100 }])
  })

  it('Codex', () => {
    const times = timesOf(read(new CodexEvents('gpt'), streamLines('codex-report')))
    expect(times).toEqual([{ Bash: 100 }, { Bash: 100 }])
  })
})

describe('the turns of Codex', () => {
  const started = (id: string) =>
    JSON.stringify({ type: 'item.started', item: { id, type: 'command_execution', command: id } })
  const completed = (id: string) =>
    JSON.stringify({ type: 'item.completed', item: { id, type: 'command_execution', command: id, exit_code: 0 } })
  const end = JSON.stringify({ type: 'turn.completed', usage: {} })
  const callsIn = (...lines: string[]) =>
    read(new CodexEvents('gpt'), [...lines, end])
      .answer()
      .output_messages?.map(({ tool_calls = [] }) =>
        tool_calls.map(({ input }) => (input as { command: string }).command),
      )

  it('counts concurrent calls as one turn, and a call after their results as the next', () => {
    const lines = [started('a'), started('b'), completed('b'), completed('a'), started('c'), completed('c')]
    expect(callsIn(...lines)).toEqual([['a', 'b'], ['c']])
  })

  it('counts a call that begins during another as the same turn', () => {
    expect(callsIn(started('a'), started('b'), completed('a'), started('c'), completed('b'), completed('c'))).toEqual([
      ['a', 'b', 'c'],
    ])
  })

  it('counts a call that has only a completion event', () => {
    expect(callsIn(completed('a'), completed('b'))).toEqual([['a'], ['b']])
  })
})

describe('a command of Codex', () => {
  it.each([
    ["/bin/bash -lc 'cat data.csv'", 'cat data.csv'],
    ['bash -lc ls', 'ls'],
    ['/bin/zsh -lc "echo \\"hi\\" \\$HOME"', 'echo "hi" $HOME'],
    [`/bin/bash -lc "echo it's \\"x\\" "'$HOME; sleep 0.3'`, 'echo it\'s "x" $HOME; sleep 0.3'],
    ["/bin/bash -lc 'one\ntwo'", 'one\ntwo'],
    ["/bin/sh -c 'a' 'b'", "/bin/sh -c 'a' 'b'"],
    ["/bin/bash -lc 'never closed", "/bin/bash -lc 'never closed"],
    ['python3 script.py', 'python3 script.py'],
    ['', ''],
    ['bash -lc ', 'bash -lc '],
  ])('%j is %j', (line, command) => {
    expect(unwrapShellCommand(line)).toBe(command)
  })

  it.each([
    ['cat /skills/csv-report/SKILL.md', '/skills/csv-report/SKILL.md'],
    ["sed -n '1,200p' /skills/csv-report/SKILL.md", '/skills/csv-report/SKILL.md'],
    ['cat "/skills/csv report/SKILL.md"', '/skills/csv report/SKILL.md'],
    ['cat "/skills/csv-report/SKILL.md"', '/skills/csv-report/SKILL.md'],
    ['cat SKILL.md', 'SKILL.md'],
    ['rm /skills/csv-report/SKILL.md', undefined],
    ['cat /skills/csv-report/SKILL.md; rm -r /', undefined],
    ['echo x > /skills/csv-report/SKILL.md', undefined],
    ['cat x > /skills/csv-report/SKILL.md', undefined],
    ['cat /skills/csv-report/reference.md', undefined],
  ])('%j reads the skill %j', (command, file_path) => {
    const item = { id: '1', type: 'command_execution', command, exit_code: 0, status: 'completed' }
    const events = read(new CodexEvents('gpt'), [
      JSON.stringify({ type: 'item.completed', item }),
      JSON.stringify({ type: 'turn.completed' }),
    ])
    const [call] = events.answer().output_messages?.[0]?.tool_calls ?? []
    expect(call).toMatchObject(
      file_path ? { tool: 'Read', input: { file_path } } : { tool: 'Bash', input: { command } },
    )
  })
})

describe('for any output of an agent', () => {
  const keys = [
    'type',
    'subtype',
    'message',
    'id',
    'content',
    'item',
    'name',
    'input',
    'tool_use_id',
    'usage',
    'result',
  ]
  const words = ['assistant', 'user', 'result', 'system', 'init', 'tool_use', 'text', 'item.completed', 'item.started']
  const more = ['agent_message', 'command_execution', 'file_change', 'mcp_tool_call', 'turn.completed', 'turn.failed']
  const word = fc.constantFrom(...words, ...more, '__proto__', '', 'command')
  const value = fc.letrec(tie => ({
    any: fc.oneof({ maxDepth: 5 }, word, fc.integer(), fc.boolean(), fc.constant(null), tie('list'), tie('mapping')),
    list: fc.array(tie('any'), { maxLength: 3 }),
    mapping: fc.dictionary(fc.constantFrom(...keys, 'changes', 'command', 'error'), tie('any'), { maxKeys: 6 }),
  }))
  const event = fc.tuple(value.mapping, word).map(([fields, type]) => ({ ...(fields as object), type }))

  it.each([
    ['Claude Code', () => new ClaudeEvents()],
    ['Codex', () => new CodexEvents('gpt', 3)],
  ] as const)('gives a valid answer or none: %s', (_, make) => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), list => {
        const events = read(
          make(),
          list.map(each => JSON.stringify(each)),
        )
        try {
          answerSchema().parse(events.answer())
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
        }
      }),
      { numRuns: examples(2000) },
    )
  })
})
