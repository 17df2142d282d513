import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../src/model/answer.ts'
import type { AgentEvents } from '../../src/providers/shared/agents/agent-events.ts'
import { ClaudeEvents } from '../../src/providers/shared/agents/claude-events.ts'
import { toToolCalls, unwrapShellCommand } from '../../src/providers/shared/agents/codex-calls.ts'
import { CodexEvents } from '../../src/providers/shared/agents/codex-events.ts'

type Fields = Record<string, unknown>

/** Reads events from lines, one every 100 ms. */
function read<Events extends AgentEvents>(events: Events, list: readonly unknown[]): Events {
  list.forEach((each, index) => {
    events.read(JSON.parse(typeof each === 'string' ? each : JSON.stringify(each)), index * 100)
  })
  return events
}

const claude = (...list: unknown[]) => read(new ClaudeEvents(), list)
const codex = (mostTurns: number | undefined, ...list: unknown[]) => read(new CodexEvents('gpt', mostTurns), list)

const assistantText = (id: string | null, text: string, more: Fields = {}) => ({
  type: 'assistant',
  message: { id, content: [{ type: 'text', text }], ...more },
})
const called = (id: string, more: Fields = {}, message = 'm') => ({
  type: 'assistant',
  message: { id: message, content: [{ type: 'tool_use', id, name: 'Bash', input: {}, ...more }] },
})
const gave = (id: string, content: unknown, more: Fields = {}) => ({
  type: 'user',
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
})
const result = (more: Fields = {}) => ({ type: 'result', subtype: 'success', is_error: false, result: 'ok', ...more })
const item = (type: string, fields: Fields) => ({ type: `item.${type}`, item: fields })
const command = (type: string, id: string) => item(type, { id, type: 'command_execution', command: id, exit_code: 0 })
const message = (id: string, text: string) => item('completed', { id, type: 'agent_message', text })
const DONE = { type: 'turn.completed', usage: {} }

/** The names of inherited object properties. */
const INHERITED = ['constructor', 'toString', 'valueOf', '__proto__']
const DEEP = 20_000
const nested = `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`

describe('reads any output of an agent without throwing', () => {
  it.each(INHERITED)('a Codex item of type %s', type => {
    const events = codex(undefined, { type: 'item.completed', item: { id: '1', type } }, DONE)
    expect(events.answer().other_events).toEqual([{ type: 'item.completed', item: { id: '1', type } }])
  })

  it('a type that is an object without a string form', () => {
    const odd = '{"type":{"toString":1}}'
    expect(claude(odd, result()).answer().other_events).toEqual([JSON.parse(odd)])
    expect(codex(undefined, odd, DONE).answer().other_events).toEqual([JSON.parse(odd)])
  })

  it('an id that is an object without a string form', () => {
    const odd = '{"type":"item.completed","item":{"type":"web_search","id":{"toString":1},"query":"x"}}'
    expect(() => codex(undefined, odd, DONE)).not.toThrow()
    const block = '{"type":"tool_use","name":"Bash","id":{"toString":1}}'
    expect(() => claude(`{"type":"assistant","message":{"content":[${block}]}}`, result())).not.toThrow()
  })

  it(`a tool error nested ${DEEP} lists deep`, () => {
    const finalEvent = `{"type":"user","message":{"content":[{"tool_use_id":"t","is_error":true,"content":${nested}}]}}`
    expect(() => claude(called('t'), finalEvent, result())).not.toThrow()
  })

  it('a command of almost 10 MB in quotes', () => {
    expect(unwrapShellCommand(`/bin/bash -lc "${'x'.repeat(9_900_000)}"`)).toHaveLength(9_900_000)
  })

  it('a command of millions of escapes', () => {
    expect(unwrapShellCommand(`/bin/bash -lc "${'\\\\'.repeat(4_900_000)}"`)).toHaveLength(4_900_000)
  })
})

describe('names of inherited properties have no special meaning', () => {
  it.each(INHERITED)('a Claude Code tool named %s', name => {
    const [first] = claude(called('t', { name }), result()).answer().output_messages ?? []
    expect(first?.tool_calls?.[0]?.tool).toBe(name)
  })

  it.each(INHERITED)('the stop reason %s', stop_reason => {
    expect(claude(result({ stop_reason })).answer().finish_reason).toBe(stop_reason)
  })
})

/** The CPU time in milliseconds, which is independent of other programs. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Measures reading events, with a query of `isDone` after each of them. */
function costToRead(events: AgentEvents, list: readonly Fields[]): number {
  return cost(() => {
    for (const [at, event] of list.entries()) if (!events.isDone) events.read(event, at)
  })
}

describe('reading time grows linearly with the output', () => {
  const many = (count: number, make: (id: string) => Fields[]) =>
    Array.from({ length: count }, (_, n) => make(`i${n}`)).flat()
  /** Claude Code with one message per call; the best of three measurements. */
  const usual = (count: number) => {
    const list = many(count, id => [called(id, {}, id), gave(id, 'x')])
    return Math.min(...[1, 2, 3].map(() => costToRead(new ClaudeEvents(), list)))
  }

  it('reads 12,000 turns of Codex about as fast as those of Claude Code', () => {
    const turns = many(12_000, id => [command('started', id), command('completed', id)])
    expect(costToRead(new CodexEvents('gpt'), turns) / usual(12_000)).toBeLessThan(30)
  })

  it('reads 20,000 calls in one message about as fast as in separate messages', () => {
    const together = many(20_000, id => [called(id), gave(id, 'x')])
    expect(costToRead(new ClaudeEvents(), together) / usual(20_000)).toBeLessThan(20)
  })

  it('checks a long command for a skill without blocking', () => {
    const call = (command: string) => toToolCalls({ type: 'command_execution', command })
    call('cat a')
    expect(cost(() => call(`cat ${'x'.repeat(30_000)}`))).toBeLessThan(200)
  })
})

describe('the turns of Codex', () => {
  // The output of Codex 0.166 for a reply with two quick commands and a second reply with text.
  const quick = ['a', 'b'].flatMap(id => [command('started', id), command('completed', id)])

  it('does not stop an agent that finishes within `max_turns`, however quick its commands are', () => {
    const events = codex(2, ...quick, message('c', 'Done.'), DONE)
    expect(events.isDone).toBe(false)
    expect(events.answer()).toMatchObject({ text: 'Done.', finish_reason: 'stop' })
  })

  it('does not count two texts in one turn as two turns', () => {
    const events = codex(1, message('a', 'First this.'), message('b', 'Done.'), DONE)
    expect(events.answer()).toMatchObject({ text: 'Done.', finish_reason: 'stop' })
  })

  it('begins a new message after results, even while a background command is running', () => {
    const events = codex(undefined, command('started', 'server'), ...quick, message('c', 'Done.'), DONE)
    expect(events.answer().output_messages?.at(-1)).toEqual({ role: 'assistant', content: 'Done.' })
  })

  it('waits for a turn that begins after a completed one', () => {
    const events = codex(undefined, message('a', 'Half'), DONE, { type: 'turn.started' }, command('started', 'b'))
    expect(events.hasEnded).toBe(false)
  })

  it('stops the agent at the first call after `max_turns`, not before', () => {
    const two = [command('started', 'a'), command('completed', 'a'), message('b', 'x'), command('started', 'c')]
    expect(codex(2, ...two).isDone).toBe(false)
    expect(codex(1, ...two).isDone).toBe(true)
  })
})

describe('Claude Code', () => {
  it('gives no answer if it reports a failure, even with `is_error: false`', () => {
    // Older versions print this if the network fails.
    const finalEvent = { type: 'result', subtype: 'error_during_execution', is_error: false, errors: [] }
    expect(() => claude(assistantText('m', 'Half of it'), finalEvent).answer()).toThrow(NoAnswer)
  })

  it('shortens a long error message', () => {
    const finalEvent = { type: 'result', subtype: 'success', is_error: true, result: 'no '.repeat(10_000) }
    expect(() => claude(finalEvent).answer()).toThrow(/^the agent reported an error: (no ){300}.{0,150}$/)
  })

  const helper = { parent_tool_use_id: 'T' }
  const withHelper = [
    { type: 'system', subtype: 'init', model: 'large' },
    assistantText('1', 'I will ask around.', { model: 'large' }),
    called('T', { name: 'Task' }, '1'),
    { ...assistantText('2', 'I found it.', { model: 'small' }), ...helper },
  ]

  it('reports its own model, not that of a subagent', () => {
    expect(claude(...withHelper, result()).answer().model).toBe('large')
  })

  it('takes the text of the agent, not of a subagent, when no turns are left', () => {
    const finalEvent = { type: 'result', subtype: 'error_max_turns', is_error: true }
    expect(claude(...withHelper, finalEvent).answer().text).toBe('I will ask around.')
  })

  it('keeps messages without an id separate', () => {
    const list = [assistantText(null, 'One.'), gave('unknown', 'x'), assistantText(null, 'Two.'), result()]
    expect(claude(...list).answer().output_messages).toEqual([
      { role: 'assistant', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
    ])
  })

  it('accepts tool results that arrive late, twice or after the final result', () => {
    const list = [called('t'), result({ result: 'first' }), gave('t', 'late'), gave('t', 'again'), result()]
    const { text, output_messages, other_events } = claude(...list).answer()
    expect(text).toBe('ok')
    expect(output_messages?.[0]?.tool_calls).toEqual([{ tool: 'Bash', input: {}, output: 'late', duration_ms: 200 }])
    expect(other_events).toEqual([expect.objectContaining({ content: 'again' })])
  })

  it('accepts missing usage, and rejects impossible values by name', () => {
    const usage = { input_tokens: '5', output_tokens: null }
    expect(claude(result({ usage, total_cost_usd: '1', duration_ms: null })).answer()).toEqual({
      text: 'ok',
      output_messages: [],
      token_usage: {},
    })
    const wrong = [
      ['token_usage.input', { usage: { input_tokens: -1 } }],
      ['token_usage.output', { usage: { output_tokens: 1.5 } }],
      ['cost_usd', { total_cost_usd: -0.1 }],
      ['duration_ms', { duration_ms: -1 }],
    ] as const
    for (const [name, fields] of wrong) expect(() => claude(result(fields)).answer()).toThrow(`\`${name}\``)
    const endless = '{"type":"result","result":"ok","total_cost_usd":1e999}'
    expect(() => claude(endless).answer()).toThrow('`cost_usd`')
  })
})
