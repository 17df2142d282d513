import { beforeAll, expect, it } from 'vitest'
import { type AgentRun, checks, runAgents, TRIGGERED } from '../../../support/agents.ts'

let agents: AgentRun
beforeAll(async () => {
  const target = { stop_at: 'first_call' }
  const env = { REPLAY_PAUSE: '20' }
  agents = await runAgents({
    claude: { provider: 'claude_cli', stream: 'claude-report', target, env },
    codex: { provider: 'codex_cli', stream: 'codex-report', target, env },
    priced: {
      provider: 'claude_cli',
      stream: [
        '{"type":"system","subtype":"init"}',
        '{"type":"assistant","message":{"id":"m1","usage":{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":5},"content":[{"type":"text","text":"I see."}]}}',
        '{"type":"assistant","message":{"id":"m1","usage":{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":5},"content":[{"type":"tool_use","id":"t","name":"Skill","input":{"skill":"csv-report"}}]}}',
        '{"type":"result","subtype":"error_during_execution","is_error":true}',
      ],
      target: { ...target, price: { input: 1_000_000, output: 0, cached_input: 0 } },
      test: checks(TRIGGERED),
      env,
    },
  })
})

it('stops an agent at its first tool call, and keeps the transcript so far', () => {
  for (const id of ['claude', 'codex']) {
    const { finish_reason, output_messages = [], cost_usd } = agents.record(id)
    expect(finish_reason).toBe('first_call')
    expect(output_messages.flatMap(({ tool_calls = [] }) => tool_calls)).toHaveLength(1)
    expect(cost_usd).toBeUndefined()
  }
})

it('counts the tokens that were reported so far, once for each message', () => {
  expect(agents.record('priced')).toMatchObject({
    verdict: 'pass',
    token_usage: { input: 100, output: 5, cached: 90 },
    cost_usd: 10,
  })
})
