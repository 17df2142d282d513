import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AgentRun,
  checks,
  event,
  otherEvents,
  runAgents,
  streamLines,
  TRIGGERED,
  withoutTimes,
} from '../../../support/agents.ts'

let agents: AgentRun
beforeAll(async () => {
  agents = await runAgents({
    codex: {
      provider: 'codex_cli',
      stream: 'codex-report',
      target: { model: 'gpt-5.1-codex', price: { input: 1, cached_input: 0.5, output: 10 } },
      test: checks(
        { type: 'contains', value: 'report.md' },
        {
          type: 'tool_trajectory',
          mode: 'exact',
          expected: [
            { tool: 'Bash', args: { command: 'cat data.csv' } },
            { tool: 'Bash', args: { command: 'cat nothing' } },
          ],
        },
        { type: 'trigger_judge', skill: 'csv-report', should_trigger: false },
      ),
    },
    'codex-skill': {
      provider: 'codex_cli',
      stream: 'codex-skill',
      test: checks(
        { ...TRIGGERED, scan: 'all' },
        { type: 'tool_trajectory', mode: 'any_order', expected: [{ tool: 'Edit', args: { kind: 'update' } }] },
      ),
    },
    'codex-401': { provider: 'codex_cli', stream: 'codex-401', env: { REPLAY_EXIT: '1' } },
    'codex-429': { provider: 'codex_cli', stream: 'codex-429', env: { REPLAY_EXIT: '1' } },
    'codex-out-of-turns': {
      provider: 'codex_cli',
      stream: 'codex-report',
      env: { REPLAY_PAUSE: '20' },
      target: { max_turns: 1 },
    },
    'codex-silent': { provider: 'codex_cli' },
    'codex-other-tools': {
      provider: 'codex_cli',
      stream: [
        event({
          type: 'item.started',
          item: { id: '1', type: 'mcp_tool_call', server: 's', tool: 't', arguments: { a: 1 } },
        }),
        event({ type: 'item.started', item: { id: '2', type: 'web_search', query: '' } }),
        event({ type: 'item.completed', item: { id: '2', type: 'web_search', query: 'assay' } }),
        event({
          type: 'item.completed',
          item: {
            id: '1',
            type: 'mcp_tool_call',
            server: 's',
            tool: 't',
            arguments: { a: 1 },
            error: { message: 'no' },
          },
        }),
        event({ type: 'item.completed', item: { id: '3', type: 'todo_list', items: [] } }),
        event({ type: 'item.completed', item: { id: '4', type: 'agent_message', text: 'First' } }),
        event({ type: 'item.completed', item: { id: '5', type: 'agent_message', text: 'ok' } }),
        event({ type: 'turn.completed', usage: { input_tokens: 1 } }),
      ],
    },
  })
})

describe('Codex', () => {
  it('reports its transcript', () => {
    const { output_messages, answer, verdict } = agents.record('codex')
    expect(output_messages?.map(message => withoutTimes(message))).toEqual([
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [
          { tool: 'Bash', raw_tool: 'command_execution', input: { command: 'cat data.csv' }, output: 'a,b\n1,2\n' },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [
          {
            tool: 'Bash',
            raw_tool: 'command_execution',
            input: { command: 'cat nothing' },
            output: 'cat: nothing: No such file or directory\n',
            error: 'exit code 1: cat: nothing: No such file or directory\n',
          },
        ],
      },
      { role: 'assistant', content: 'Done: the report is in report.md.' },
    ])
    expect({ answer, verdict }).toEqual({ answer: 'Done: the report is in report.md.', verdict: 'pass' })
  })

  it('reports tokens; the cost comes from the price of the target', () => {
    const { token_usage, cost_usd, model, finish_reason, trace_summary } = agents.record('codex')
    expect(token_usage).toEqual({ input: 1000, output: 80, cached: 40, reasoning: 20 })
    expect(cost_usd).toBeCloseTo((960 * 1 + 40 * 0.5 + 80 * 10) / 1e6, 12)
    expect({ model, finish_reason }).toEqual({ model: 'gpt-5.1-codex', finish_reason: 'stop' })
    expect(trace_summary).toMatchObject({ event_count: 2, error_count: 1, llm_call_count: 3 })
  })

  it('uses a skill by reading it, and reports one call per changed file', () => {
    const { output_messages, verdict } = agents.record('codex-skill')
    expect(verdict).toBe('pass')
    const calls = output_messages?.flatMap(message => withoutTimes(message).tool_calls ?? [])
    expect(calls?.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: 'Bash', input: { command: 'echo it\'s "x" $HOME; sleep 0.3' } },
      {
        tool: 'Read',
        input: {
          file_path: '/home/agent/.codex/skills/csv-report/SKILL.md',
          command: 'cat /home/agent/.codex/skills/csv-report/SKILL.md',
        },
      },
      { tool: 'Edit', input: { file_path: '/home/agent/project/data.csv', kind: 'update' } },
      { tool: 'Write', input: { file_path: '/home/agent/project/report.md', kind: 'add' } },
    ])
  })

  it('has not answered if its service rejects it', () => {
    expect(agents.record('codex-401').error).toMatchObject({
      code: 'http-status',
      message: expect.stringMatching(/^the agent reported an error: unexpected status 401 Unauthorized/),
    })
    expect(agents.record('codex-429').error).toMatchObject({
      code: 'http-status',
      message: expect.stringContaining('429 Too Many Requests'),
    })
  })

  it('is stopped at the first call after `max_turns`', () => {
    const { finish_reason, answer, output_messages } = agents.record('codex-out-of-turns')
    expect({ finish_reason, answer }).toEqual({ finish_reason: 'max_turns', answer: 'Looking.' })
    expect(output_messages).toHaveLength(1)
  })

  it('has not answered without a final event', () => {
    expect(agents.record('codex-silent').error).toEqual({
      code: 'bad-response',
      stage: 'answer',
      message: 'the agent exited without a final event, with empty stderr',
    })
  })

  it('reports other tools too; its last message is the answer', () => {
    const { output_messages, answer } = agents.record('codex-other-tools')
    expect(answer).toBe('ok')
    expect(output_messages?.map(message => withoutTimes(message))).toEqual([
      {
        role: 'assistant',
        tool_calls: [
          { tool: 'mcp__s__t', raw_tool: 't', input: { a: 1 }, error: 'no' },
          { tool: 'WebSearch', raw_tool: 'web_search', input: { query: 'assay' } },
        ],
      },
      { role: 'assistant', content: 'First' },
      { role: 'assistant', content: 'ok' },
    ])
  })

  it('keeps other events beside the answer', () => {
    expect(otherEvents(agents, 'codex')).toEqual([JSON.parse(streamLines('codex-report')[1] ?? '')])
  })
})
