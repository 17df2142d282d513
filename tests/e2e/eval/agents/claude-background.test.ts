import { beforeAll, describe, expect, it } from 'vitest'
import { type AgentRun, event, runAgents } from '../../../support/agents.ts'

const INIT = event({ type: 'system', subtype: 'init', model: 'large' })
const RUNNING = event({ type: 'system', subtype: 'background_tasks_changed', tasks: [{ task_id: 'b' }] })
const OVER = event({ type: 'system', subtype: 'background_tasks_changed', tasks: [] })
const said = (result: string, more: object = {}) =>
  event({ result, subtype: 'success', is_error: false, duration_ms: 5, ...more, type: 'result' })
const FAILED = said('overloaded', { is_error: true, api_error_status: 529 })
const KILLED = { REPLAY_EXIT: '143' }

let agents: AgentRun
beforeAll(async () => {
  const cases = {
    whole: { stream: [INIT, RUNNING, said('half'), OVER, INIT, said('all')] },
    'killed-while-tasks-run': { stream: [INIT, RUNNING, said('half')], env: KILLED },
    'killed-after-new-start': { stream: [INIT, RUNNING, said('half'), OVER, INIT], env: KILLED },
    'killed-between-results': { stream: [INIT, INIT, said('half')], env: KILLED },
    'ended-after-new-start': { stream: [INIT, RUNNING, said('half'), OVER, INIT] },
    'ended-with-a-server': { stream: [INIT, RUNNING, said('started')] },
    'failed-later': { stream: [INIT, said('half'), INIT, FAILED], env: { REPLAY_EXIT: '1' } },
    'failed-earlier': { stream: [INIT, FAILED, INIT, said('all')] },
    'limit-with-tasks': {
      stream: [INIT, RUNNING, said('half', { subtype: 'error_max_turns', is_error: true })],
      env: { REPLAY_EXIT: '1' },
    },
  }
  agents = await runAgents(
    Object.fromEntries(Object.entries(cases).map(([name, each]) => [name, { provider: 'claude_cli', ...each }])),
  )
})

describe('background work of Claude Code', () => {
  it('is part of the answer', () => {
    expect(agents.record('whole')).toMatchObject({ answer: 'all', duration_ms: 10 })
  })

  it.each([
    [
      'killed-while-tasks-run',
      'program-failed',
      'the agent had not finished its work when it ended with exit code 143',
    ],
    ['killed-after-new-start', 'program-failed', 'the agent ended with exit code 143'],
    [
      'killed-between-results',
      'program-failed',
      'the agent had not finished its work when it ended with exit code 143',
    ],
    ['ended-after-new-start', 'bad-response', 'the agent exited without a final event'],
    ['failed-later', 'http-status', 'the agent reported an error: overloaded'],
    ['failed-earlier', 'http-status', 'the agent reported an error: overloaded'],
  ])('makes the attempt an error: %s', (name, code, message) => {
    expect(agents.record(name)).toMatchObject({
      verdict: 'error',
      answer: null,
      error: { code, message: expect.stringContaining(message) },
    })
  })

  it('may outlast an agent that exits with success', () => {
    expect(agents.record('ended-with-a-server').answer).toBe('started')
  })

  it('may be ended by a limit', () => {
    expect(agents.record('limit-with-tasks')).toMatchObject({ answer: 'half', finish_reason: 'max_turns' })
  })
})
