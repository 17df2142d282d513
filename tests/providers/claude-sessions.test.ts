import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../src/model/answer.ts'
import { claude, type Fields, INIT, result, says } from './claude-stream-parts.ts'

const tasks = (...list: unknown[]) => ({ type: 'system', subtype: 'background_tasks_changed', tasks: list })
const usageOf = (...results: Fields[]) => claude(...results.map(result)).answer().token_usage

describe('the figures of a session of Claude Code', () => {
  const model = (inputTokens: unknown, more: Fields = {}) => ({ inputTokens, outputTokens: 1, ...more })

  it('take tokens from the last result that has some', () => {
    const usage = { input_tokens: 7, output_tokens: 7 }
    const session = { modelUsage: { large: model(10) }, usage }
    expect(usageOf(session, { modelUsage: {}, usage })).toEqual({ input: 10, output: 1 })
    expect(usageOf(session, { modelUsage: 'none' })).toEqual({ input: 10, output: 1 })
    expect(usageOf(session, { modelUsage: { large: model(30) } })).toEqual({ input: 30, output: 1 })
  })

  it('count thinking as reasoning, which is part of the output', () => {
    const modelUsage = { large: model(10, { thinkingTokens: 4 }), small: model(10, { thinkingTokens: 3 }) }
    expect(usageOf({ modelUsage })).toEqual({ input: 20, output: 2, reasoning: 7 })
    const usage = { input_tokens: 5, output_tokens: 9, output_tokens_details: { thinking_tokens: 8 } }
    expect(usageOf({ usage }, { usage })).toEqual({ input: 10, output: 18, reasoning: 16 })
  })

  it('leave out a sum in which a part is not a number', () => {
    expect(usageOf({ modelUsage: { large: model(10), small: model('20') } })).toEqual({ output: 2 })
    expect(usageOf({ modelUsage: { large: model(10, { cacheReadInputTokens: [] }) } })).toEqual({ output: 1 })
    expect(claude(result({ duration_ms: 5 }), result({ duration_ms: '5' })).answer().duration_ms).toBeUndefined()
  })

  it('reject tokens that no session can have', () => {
    for (const wrong of [-1, 0.5, 2 ** 53])
      expect(() => usageOf({ modelUsage: { large: model(wrong) } })).toThrow('`token_usage.input`')
    const half = model(2 ** 52)
    expect(() => usageOf({ modelUsage: { a: half, b: half } })).toThrow('`token_usage.input`')
    // A negative part is not made up for by another one.
    expect(() => usageOf({ modelUsage: { a: model(-5), b: model(10) } })).toThrow('`token_usage.input`')
    expect(() => claude(result({ duration_ms: -5 }), result({ duration_ms: 10 })).answer()).toThrow('`duration_ms`')
  })

  it('take the cost of the session from the last result that has one', () => {
    const costOf = (...costs: unknown[]) =>
      claude(...costs.map(total_cost_usd => result({ total_cost_usd }))).answer().cost_usd
    expect(costOf(0.01, 0.03)).toBe(0.03)
    expect(costOf(0.01, undefined)).toBe(0.01)
    expect(costOf(0.01, '0.03')).toBe(0.01)
    expect(costOf(undefined)).toBeUndefined()
  })

  it('keep what each result says about turns, subagents and its end', () => {
    const facts = (result_index: number, num_turns: number) => ({
      result_index,
      num_turns,
      terminal_reason: 'completed',
      subagent_stats: { spawned: 1, failed: 0 },
      safety_stops: result_index,
      permission_denials: [],
    })
    const { other_events } = claude(
      result({ ...facts(0, 2), ttft_ms: 3 }),
      result({ ...facts(1, 1), structured_output: { a: 1 } }),
    ).answer()
    expect(other_events).toEqual([
      { type: 'result', ...facts(0, 2) },
      { type: 'result', ...facts(1, 1) },
    ])
  })

  it('count an event that is printed twice once', () => {
    const once = { ...result({ duration_ms: 5 }), uuid: 'r' }
    const said = { ...says('Hi'), uuid: 'm' }
    const { duration_ms, output_messages } = claude(said, said, once, once).answer()
    expect(duration_ms).toBe(5)
    expect(output_messages).toEqual([{ role: 'assistant', content: 'Hi' }])
  })
})

describe('the end of a session of Claude Code', () => {
  const failed = { subtype: 'success', is_error: true, api_error_status: 529, result: 'overloaded' }

  it('is an error if any result is one, first or last', () => {
    for (const list of [
      [result(failed), result()],
      [result(), result(failed)],
      [result(), result({ subtype: 'error_during_execution', is_error: false })],
    ])
      expect(() => claude(...list).answer()).toThrow(NoAnswer)
    expect(() => claude(result(failed), result()).answer()).toThrow(/overloaded/)
  })

  it('is an error after `api_error`, whatever else the result says', () => {
    expect(() => claude(result({ terminal_reason: 'api_error' })).answer()).toThrow(/reported an error: ok/)
    const limit = { subtype: 'error_max_turns', is_error: true, terminal_reason: 'api_error' }
    expect(() => claude(result(limit)).answer()).toThrow(NoAnswer)
  })

  it.each([
    ['max_budget', { subtype: 'error_max_budget_usd', is_error: true, result: undefined }],
    ['max_budget', { subtype: 'success', is_error: true, terminal_reason: 'budget_exhausted', result: undefined }],
    ['max_budget', { terminal_reason: 'budget_exhausted', result: undefined }],
    ['max_turns', { subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns', result: undefined }],
  ])('at a limit keeps the transcript, with the finish reason %s: %j', (finish_reason, fields) => {
    expect(claude(says('So far.'), result(fields)).answer()).toMatchObject({
      text: 'So far.',
      finish_reason,
      output_messages: [{ role: 'assistant', content: 'So far.' }],
    })
  })

  it('is an error if the service rejected the request, even with a spent budget', () => {
    const fields = { is_error: true, api_error_status: 429, terminal_reason: 'budget_exhausted' }
    expect(() => claude(result(fields)).answer()).toThrow(NoAnswer)
  })

  it('reports a limit that an earlier result has reached', () => {
    const first = result({ subtype: 'error_max_turns', is_error: true })
    expect(claude(first, result({ stop_reason: 'end_turn' })).answer()).toMatchObject({
      text: 'ok',
      finish_reason: 'max_turns',
    })
  })

  it('reports an unusual reason as finish reason', () => {
    const reasonOf = (terminal_reason: unknown) =>
      claude(result({ terminal_reason, stop_reason: 'end_turn' })).answer().finish_reason
    expect(reasonOf('completed')).toBe('stop')
    expect(reasonOf('hook_stopped')).toBe('hook_stopped')
    expect(reasonOf('__proto__')).toBe('__proto__')
    expect(reasonOf(7)).toBe('stop')
    expect(reasonOf(null)).toBe('stop')
  })

  it('has structured output as the answer, unless it is null', () => {
    expect(claude(result({ structured_output: { a: [1] } })).answer().text).toBe('{"a":[1]}')
    expect(claude(result({ structured_output: null })).answer().text).toBe('ok')
    expect(claude(result({ structured_output: false })).answer().text).toBe('false')
  })
})

describe('a session of Claude Code is unfinished', () => {
  const state = (...list: unknown[]) => {
    const { hasEnded, goesOn, isCutOff } = claude(...list)
    return { hasEnded, goesOn, isCutOff }
  }
  const over = { hasEnded: true, goesOn: false, isCutOff: false }

  it('not after a result for each start', () => {
    expect(state(INIT, result())).toEqual(over)
    expect(state(INIT, INIT, result(), result())).toEqual(over)
    expect(state(INIT, tasks({}), result(), tasks(), INIT, result())).toEqual(over)
  })

  it('while background tasks are running', () => {
    expect(state(INIT, tasks({}), result())).toEqual({ hasEnded: true, goesOn: true, isCutOff: true })
  })

  it('after a new start', () => {
    expect(state(INIT, result(), INIT)).toEqual({ hasEnded: false, goesOn: true, isCutOff: true })
    expect(state(INIT, INIT, result())).toEqual({ hasEnded: true, goesOn: true, isCutOff: true })
  })

  it('not at a limit, which ends background tasks', () => {
    const limit = result({ subtype: 'error_max_turns', is_error: true })
    expect(state(INIT, tasks({}), limit)).toEqual({ hasEnded: true, goesOn: true, isCutOff: false })
  })

  it('ignores tasks that are not a list', () => {
    for (const wrong of [null, 'one', { length: 3 }, 5])
      expect(state(INIT, { ...tasks(), tasks: wrong }, result())).toEqual(over)
  })
})
