import { describe, expect, it } from 'vitest'
import { by, calls, callsOf, claude, INIT, result, returns, says } from './claude-stream-parts.ts'

const messagesOf = (...list: unknown[]) => claude(INIT, ...list, result()).answer().output_messages

describe('a message of a subagent of Claude Code', () => {
  it.each([
    ['its id', { agent_id: 'a1', parent_tool_use_id: 't' }, 'a1'],
    ['its id alone', { agent_id: 'a1', parent_tool_use_id: null }, 'a1'],
    ['the call that started it', { parent_tool_use_id: 't' }, 't'],
    ['the call if its id is empty', { agent_id: '', parent_tool_use_id: 't' }, 't'],
    ['`unknown` if its id is no text', { agent_id: 7, parent_tool_use_id: null }, 'unknown'],
    ['`unknown` if the call is no text', { parent_tool_use_id: { id: 't' } }, 'unknown'],
  ])('is marked with %s', (_, fields, agent_id) => {
    expect(messagesOf(says('Hi', fields))).toEqual([{ role: 'assistant', content: 'Hi', agent_id }])
  })

  it.each([{}, { agent_id: null, parent_tool_use_id: null }, { agent_id: '', parent_tool_use_id: '' }])(
    'is not taken from the agent itself: %j',
    fields => {
      expect(messagesOf(says('Hi', fields))).toEqual([{ role: 'assistant', content: 'Hi' }])
    },
  )

  it('is never the answer, even as the last one', () => {
    const limit = result({ subtype: 'error_max_turns', is_error: true, result: undefined })
    expect(claude(INIT, says('Mine.'), says('Not mine.', by('a')), limit).answer().text).toBe('Mine.')
    expect(claude(INIT, says('Not mine.', by('a')), limit).answer().text).toBe('')
  })

  it('stays apart from a message of the agent or of another subagent with the same id', () => {
    const list = [says('One', {}, 'm'), says('Two', by('a'), 'm'), says('Three', by('b'), 'm'), says('Four', {}, 'm')]
    expect(messagesOf(...list)).toEqual([
      { role: 'assistant', content: 'One\n\nFour' },
      { role: 'assistant', content: 'Two', agent_id: 'a' },
      { role: 'assistant', content: 'Three', agent_id: 'b' },
    ])
  })
})

describe('calls of subagents', () => {
  const answerTo = (...list: unknown[]) => callsOf(claude(INIT, ...list, result()).answer())

  it('get their own results, though the ids of calls are the same', () => {
    const list = [
      calls('t', 'Read'),
      calls('t', 'Bash', by('a')),
      calls('t', 'Grep', by('b')),
      returns('t', 'of a', by('a')),
      returns('t', 'own'),
      returns('t', 'of b', by('b'), { is_error: true }),
    ]
    expect(answerTo(...list)).toEqual(['own Read: own', 'a Bash: of a', 'b Grep: ! of b'])
  })

  it('get a result whose subagent is not known', () => {
    expect(answerTo(calls('t', 'Read', by('a')), returns('t', 'late'))).toEqual(['a Read: late'])
  })

  it('are counted once if the same event arrives again before the result', () => {
    const list = [calls('t', 'Read'), calls('t', 'Read'), returns('t', 'text')]
    expect(answerTo(...list)).toEqual(['own Read: text'])
  })

  it('are counted each if another message reuses the id', () => {
    const list = [calls('t', 'Read'), returns('t', 'one'), calls('t', 'Read', {}, 'n'), returns('t', 'two')]
    expect(answerTo(...list)).toEqual(['own Read: one', 'own Read: two'])
  })
})
