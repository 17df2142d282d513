import { describe, expect, it } from 'vitest'
import { ClaudeEvents } from '../../src/providers/shared/agents/claude-events.ts'
import { CodexEvents } from '../../src/providers/shared/agents/codex-events.ts'
import { streamLines } from '../support/agents.ts'

/** Reads the lines of a stream, up to one of them. */
function read(name: string, count = Number.POSITIVE_INFINITY): ClaudeEvents {
  const events = new ClaudeEvents()
  for (const line of streamLines(name).slice(0, count)) events.read(JSON.parse(line), 0)
  return events
}

/** The role, the text and the calls of each message. */
function transcript(name: string): string[] {
  const messages = read(name).answer().output_messages ?? []
  return messages.map(({ role, content, tool_calls = [], agent_id }) =>
    [agent_id === undefined ? '' : '  ', role, content ?? '', ...tool_calls.map(({ tool }) => `[${tool}]`)].join(' '),
  )
}

describe('background tasks of Claude Code', () => {
  it('count the tokens of the session and the duration of all results', () => {
    const { token_usage, duration_ms, cost_usd, text } = read('claude-background-agent').answer()
    expect(token_usage).toEqual({ input: 5000, output: 500, cached: 0, reasoning: 0 })
    expect(duration_ms).toBe(948 + 87)
    expect(cost_usd).toBe(0.015)
    expect(text).toBe('after bg')
  })

  it('are awaited: the agent continues after a first result', () => {
    const lines = streamLines('claude-background-command')
    const states = lines.map((_, index) => {
      const { hasEnded, goesOn } = read('claude-background-command', index + 1)
      return hasEnded && !goesOn
    })
    const results = lines.flatMap((line, index) => (JSON.parse(line).type === 'result' ? [index] : []))
    expect(results).toEqual([6, 12])
    // The task ends at 9, and the agent continues at 10.
    expect(states.flatMap((isOver, index) => (isOver ? [index] : []))).toEqual([9, 12])
    const { token_usage, duration_ms } = read('claude-background-command').answer()
    expect(token_usage).toMatchObject({ input: 3000, output: 300 })
    expect(duration_ms).toBe(641 + 160)
  })
})

describe('subagents of Claude Code', () => {
  it('are marked in the transcript, in the foreground and in the background', () => {
    expect(transcript('claude-subagent')).toEqual([
      ' assistant  [Agent]',
      expect.stringMatching(/^ {3}user SUBTASK do/),
      '   assistant  [Read]',
      ' assistant delegated',
    ])
    expect(transcript('claude-background-agent')).toEqual([
      ' assistant  [Agent]',
      '   assistant  [Read]',
      ' assistant delegated bg',
      '   assistant sub done',
      ' assistant after bg',
    ])
  })

  it('are named by their id, or by the call that started them', () => {
    const ids = (name: string) =>
      new Set(
        read(name)
          .answer()
          .output_messages?.map(({ agent_id }) => agent_id),
      )
    expect(ids('claude-subagent')).toEqual(new Set([undefined, 'aeeb963c19bdc07e1']))
    const older = new ClaudeEvents()
    const message = { id: 'm', content: [{ type: 'text', text: 'Hi' }] }
    older.read({ type: 'assistant', parent_tool_use_id: 'toolu_1', message }, 0)
    older.read({ type: 'result', subtype: 'success', result: 'ok' }, 0)
    expect(older.answer().output_messages).toEqual([{ role: 'assistant', content: 'Hi', agent_id: 'toolu_1' }])
  })

  it('have their tokens counted', () => {
    expect(read('claude-subagent').answer().token_usage).toEqual({ input: 4000, output: 400, cached: 0, reasoning: 0 })
  })
})

describe('limits and permissions of Claude Code', () => {
  it('keep the transcript of an agent that has spent its budget', () => {
    const { text, finish_reason, token_usage, cost_usd, output_messages } = read('claude-max-budget').answer()
    expect({ text, finish_reason, cost_usd }).toEqual({ text: '', finish_reason: 'max_budget', cost_usd: 0.003 })
    expect(token_usage).toEqual({ input: 1000, output: 100, cached: 0, reasoning: 0 })
    expect(output_messages).toMatchObject([{ tool_calls: [{ tool: 'Bash' }] }])
  })

  it('mark a denied call as failed, even if its result never arrives', () => {
    const error = "permission denied: Claude requested permissions to use WebFetch, but you haven't granted it yet."
    const calls = (events: ClaudeEvents) => events.answer().output_messages?.[0]?.tool_calls
    expect(calls(read('claude-denied'))).toMatchObject([{ tool: 'WebFetch', error }])
    const cut = read('claude-denied', 3)
    cut.read({ type: 'result', subtype: 'error_max_turns', is_error: true }, 0)
    expect(calls(cut)).toMatchObject([{ tool: 'WebFetch', error }])
  })
})

describe('usage in other forms', () => {
  const withResults = (...results: object[]) => {
    const events = new ClaudeEvents()
    for (const result of results) events.read({ type: 'result', subtype: 'success', result: 'ok', ...result }, 0)
    return events.answer().token_usage
  }

  it('is summed over all results if the session has none', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 3, cache_creation_input_tokens: 2, output_tokens: 1 }
    expect(withResults({ usage }, { usage })).toEqual({ input: 30, output: 2, cached: 6 })
    expect(withResults({ usage, modelUsage: {} })).toEqual({ input: 15, output: 1, cached: 3 })
    expect(withResults({ usage, modelUsage: 'none' }, {})).toEqual({ input: 15, output: 1, cached: 3 })
    expect(withResults({})).toBeUndefined()
  })

  it('is summed over several models', () => {
    const modelUsage = {
      big: { inputTokens: 10, outputTokens: 1, cacheReadInputTokens: 5, cacheCreationInputTokens: 2 },
      small: { inputTokens: 100, outputTokens: 20 },
      odd: null,
    }
    expect(withResults({ modelUsage })).toEqual({ input: 117, output: 21, cached: 5 })
  })

  it('of Codex counts cached tokens once, as part of the input', () => {
    const events = new CodexEvents('gpt')
    const usage = { input_tokens: 100, cached_input_tokens: 40, cache_write_input_tokens: 20, output_tokens: 5 }
    events.read({ type: 'turn.completed', usage }, 0)
    expect(events.answer().token_usage).toEqual({ input: 100, cached: 40, output: 5 })
  })
})
