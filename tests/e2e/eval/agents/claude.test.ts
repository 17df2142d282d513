import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AgentRun,
  checks,
  event,
  otherEvents,
  runAgents,
  TRIGGERED,
  withoutTimes,
} from '../../../support/agents.ts'

const TOOLS = ['Skill', 'Read', 'Bash', 'Write']
const ALL_TOOLS = { type: 'tool_trajectory', mode: 'exact', expected: TOOLS.map(tool => ({ tool })) }
const ONE_COMMAND = { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'Bash' }] }

const RESULT = event({ type: 'result', subtype: 'success', is_error: false, result: 'ok', total_cost_usd: 0.5 })

let agents: AgentRun
beforeAll(async () => {
  agents = await runAgents({
    claude: {
      provider: 'claude_cli',
      stream: 'claude-report',
      test: checks({ type: 'contains', value: 'report.md' }, TRIGGERED, ALL_TOOLS, {
        type: 'execution_metrics',
        max_tool_calls: 4,
        max_llm_calls: 4,
        max_tokens: 1128,
        max_cost_usd: 0.0072,
      }),
    },
    'claude-in-pieces': { provider: 'claude_cli', stream: 'claude-report', env: { REPLAY_PIECE: '7' } },
    'claude-slow': {
      provider: 'claude_cli',
      stream: 'claude-report',
      env: { REPLAY_PAUSE: '20' },
      test: checks({ type: 'latency', threshold: 495 }),
    },
    'claude-partial': {
      provider: 'claude_cli',
      stream: 'claude-partial-messages',
      test: checks(ALL_TOOLS),
    },
    'claude-out-of-turns': {
      provider: 'claude_cli',
      stream: 'claude-max-turns',
      env: { REPLAY_EXIT: '1' },
      test: checks(TRIGGERED),
    },
    'claude-401': { provider: 'claude_cli', stream: 'claude-401', env: { REPLAY_EXIT: '1' } },
    'claude-500': { provider: 'claude_cli', stream: 'claude-500', env: { REPLAY_EXIT: '1' }, target: { retries: 1 } },
    'claude-cut': { provider: 'claude_cli', stream: 'claude-report', env: { REPLAY_CUT: '40', REPLAY_EXIT: '3' } },
    'claude-no-break-at-the-end': { provider: 'claude_cli', stream: 'claude-report', env: { REPLAY_CUT: '1' } },
    'claude-noise': {
      provider: 'claude_cli',
      stream: [
        'Warning: something else prints here',
        '[1, 2]',
        '"text"',
        '{"type":"assistant"}',
        '{"type":"assistant","message":7}',
        event({ type: 'assistant', message: { content: 'ok then' } }),
        event({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }] } }),
        event({ type: 'rate_limit_event', info: { status: 'allowed' } }),
        '',
        '{"type":"ass',
        RESULT,
      ],
    },
    'claude-huge-line': {
      provider: 'claude_cli',
      stream: [
        event({
          type: 'assistant',
          message: { id: 'm', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'cat big' } }] },
        }),
        event({
          type: 'user',
          message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'é'.repeat(1_500_000) }] },
        }),
        RESULT,
      ],
      test: checks(ONE_COMMAND),
    },
    'claude-too-long-a-line': { provider: 'claude_cli', stream: [event({ text: 'x'.repeat(10_000_001) }), RESULT] },
    'claude-service-tool': {
      provider: 'claude_cli',
      stream: [
        event({
          type: 'assistant',
          message: {
            id: 'm',
            content: [
              { type: 'thinking', thinking: 'hm' },
              { type: 'server_tool_use', id: 's', name: 'WebSearch', input: { query: 'x' } },
              { type: 'web_search_tool_result', tool_use_id: 's', content: [{ title: 'X' }] },
              { type: 'tool_use', id: 'n', name: 'NotebookEdit', input: { notebook_path: 'a.ipynb' } },
            ],
          },
        }),
        RESULT,
      ],
    },
  })
})

describe('Claude Code', () => {
  it('reports its transcript', () => {
    const { output_messages, answer, verdict } = agents.record('claude')
    expect(output_messages?.map(message => withoutTimes(message))).toEqual([
      {
        role: 'assistant',
        content: 'I will use the skill.',
        tool_calls: [{ tool: 'Skill', input: { skill: 'csv-report' }, output: 'Launching skill: csv-report' }],
      },
      { role: 'user', content: expect.stringMatching(/^Base directory for this skill: .*\n\nMake a table\.\n$/) },
      {
        role: 'assistant',
        tool_calls: [
          { tool: 'Read', input: { file_path: '/home/agent/project/data.csv' }, output: '1\ta,b\n2\t1,2\n3\t' },
          {
            tool: 'Bash',
            input: { command: 'ls; cat nothing', description: 'list' },
            output: 'Exit code 1\ndata.csv\ncat: nothing: No such file or directory',
            error: 'Exit code 1\ndata.csv\ncat: nothing: No such file or directory',
          },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [
          {
            tool: 'Write',
            input: { file_path: '/home/agent/project/report.md', content: '# Report\n' },
            output: expect.stringContaining('File created'),
          },
        ],
      },
      { role: 'assistant', content: 'Done: the report is in report.md.' },
    ])
    expect({ answer, verdict }).toEqual({ answer: 'Done: the report is in report.md.', verdict: 'pass' })
  })

  it('reports tokens, cost and duration', () => {
    const { token_usage, cost_usd, duration_ms, model, finish_reason, trace_summary } = agents.record('claude')
    expect({ token_usage, cost_usd, duration_ms, model, finish_reason }).toEqual({
      // Tokens of a cache are among those of the input.
      token_usage: { input: 1000 + 20 + 28, output: 80, cached: 28 },
      cost_usd: 0.007139000000000001,
      duration_ms: 495,
      model: 'claude-sonnet-4-5',
      finish_reason: 'stop',
    })
    expect(trace_summary).toEqual({
      event_count: 4,
      tool_names: ['Skill', 'Read', 'Bash', 'Write'],
      tool_calls_by_name: { Skill: 1, Read: 1, Bash: 1, Write: 1 },
      error_count: 1,
      llm_call_count: 4,
    })
  })

  it.each(['claude-in-pieces', 'claude-slow', 'claude-no-break-at-the-end'])(
    'is read regardless of chunks and pauses: %s',
    id => {
      const whole = agents.record('claude')
      const { output_messages, answer, token_usage, cost_usd } = agents.record(id)
      expect(output_messages?.map(message => withoutTimes(message))).toEqual(
        whole.output_messages?.map(message => withoutTimes(message)),
      )
      expect({ answer, token_usage, cost_usd }).toEqual({
        answer: whole.answer,
        token_usage: whole.token_usage,
        cost_usd: whole.cost_usd,
      })
    },
  )

  it('may also print its text in parts', () => {
    const { verdict, output_messages, answer } = agents.record('claude-partial')
    expect(verdict).toBe('pass')
    expect(answer).toBe('Done: the report is in report.md.')
    const calls = output_messages?.flatMap(({ tool_calls = [] }) => tool_calls) ?? []
    expect(calls.find(({ tool }) => tool === 'Read')?.error).toContain('No such tool available: Read')
  })

  it('has answered when it reaches `max_turns`', () => {
    const { verdict, finish_reason, answer } = agents.record('claude-out-of-turns')
    expect({ verdict, finish_reason, answer }).toEqual({
      verdict: 'pass',
      finish_reason: 'max_turns',
      answer: 'I will use the skill.',
    })
  })

  it('has not answered if its service rejects it, even if it reports success', () => {
    expect(agents.record('claude-401').error).toEqual({
      code: 'http-status',
      stage: 'answer',
      message: 'the agent reported an error: Failed to authenticate. API Error: 401 no good',
      never_reached: true,
    })
    expect(agents.calls('claude-401')).toHaveLength(1)
  })

  it('is retried if that may help', () => {
    expect(agents.record('claude-500').error?.message).toContain('API Error: 500 no good')
    expect(agents.calls('claude-500')).toHaveLength(2)
  })

  it('has not answered if its last event is incomplete', () => {
    const { error } = agents.record('claude-cut')
    expect(error).toMatchObject({ code: 'program-failed', message: expect.stringContaining('exit code 3') })
  })

  it('keeps unknown events, and reads the rest', () => {
    const { answer, output_messages, cost_usd } = agents.record('claude-noise')
    expect({ answer, output_messages, cost_usd }).toEqual({
      answer: 'ok',
      output_messages: [{ role: 'assistant', content: 'ok then' }],
      cost_usd: 0.5,
    })
    expect(otherEvents(agents, 'claude-noise')).toEqual([
      { type: 'assistant' },
      { type: 'assistant', message: 7 },
      { type: 'tool_result', tool_use_id: 'nobody', content: 'x' },
      { type: 'rate_limit_event', info: { status: 'allowed' } },
    ])
    expect(otherEvents(agents, 'claude')).toMatchObject([
      { type: 'result', num_turns: 6, terminal_reason: 'completed' },
    ])
  })

  it('may print long lines, up to a limit', () => {
    const [message] = agents.record('claude-huge-line').output_messages ?? []
    expect(String(message?.tool_calls?.[0]?.output)).toHaveLength(1_500_000)
    expect(agents.record('claude-too-long-a-line').error).toMatchObject({
      code: 'output-too-large',
      message: 'the program printed a line of more than 10 MB and was stopped',
    })
  })

  it('reports tools of its service, and shared names for its own', () => {
    const [message] = agents.record('claude-service-tool').output_messages ?? []
    expect(withoutTimes(message ?? { role: '' }).tool_calls).toEqual([
      { tool: 'WebSearch', input: { query: 'x' }, output: [{ title: 'X' }] },
      { tool: 'Edit', raw_tool: 'NotebookEdit', input: { notebook_path: 'a.ipynb' } },
    ])
  })
})
