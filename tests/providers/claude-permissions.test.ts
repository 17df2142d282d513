import { describe, expect, it } from 'vitest'
import { by, calls, callsOf, claude, type Fields, INIT, result, returns } from './claude-stream-parts.ts'

const denied = (tool_use_id: unknown, message: unknown, more: Fields = {}) => ({
  type: 'system',
  subtype: 'permission_denied',
  tool_name: 'Bash',
  tool_use_id,
  message,
  ...more,
})
const meta = (id: unknown, fields: Fields) => ({ tool_result_meta: [{ id, ...fields }] })
const REJECTED = { non_execution_kind: 'user-rejected', permission_decision: { decision: 'reject', source: 'config' } }
const ACCEPTED = { permission_decision: { decision: 'accept', source: 'config' } }
const ERROR = { is_error: true }

/** The calls of a session that ends with these denials. */
function callsWith(denials: unknown, ...list: unknown[]): string[] {
  return callsOf(claude(INIT, ...list, result({ permission_denials: denials })).answer())
}

describe('a call of Claude Code without permission', () => {
  it.each([
    ['before its result', [calls('t', 'Bash'), denied('t', 'No.'), returns('t', 'x', {}, ERROR)]],
    ['after its result', [calls('t', 'Bash'), returns('t', 'x', {}, ERROR), denied('t', 'No.')]],
    ['before the call', [denied('t', 'No.'), calls('t', 'Bash'), returns('t', 'x', {}, ERROR)]],
    ['and no result', [calls('t', 'Bash'), denied('t', 'No.')]],
    ['and a result that succeeded', [calls('t', 'Bash'), denied('t', 'No.'), returns('t', 'x', meta('t', ACCEPTED))]],
  ])('has failed, with an event %s', (_, list) => {
    expect(callsWith([], ...list)).toEqual(['own Bash: ! permission denied: No.'])
  })

  it('has failed if the permission in its result is a rejection', () => {
    const list = [calls('t', 'Bash'), returns('t', 'Ask first.', meta('t', REJECTED), ERROR)]
    expect(callsWith([], ...list)).toEqual(['own Bash: ! permission denied: Ask first.'])
    const lenient = [calls('t', 'Bash'), returns('t', 'Ask first.', meta('t', REJECTED))]
    expect(callsWith([], ...lenient)).toEqual(['own Bash: ! permission denied: Ask first.'])
  })

  it('has failed if the final result lists it', () => {
    const listed = [{ tool_name: 'Bash', tool_use_id: 't', tool_input: {} }]
    const call = calls('t', 'Bash')
    expect(callsWith(listed, call, returns('t', 'Ask first.', {}, ERROR))).toEqual([
      'own Bash: ! permission denied: Ask first.',
    ])
    expect(callsWith(listed, call)).toEqual(['own Bash: ! permission denied'])
    expect(callsWith(listed, call, denied('t', 'No.'))).toEqual(['own Bash: ! permission denied: No.'])
    const both = returns('t', 'Ask first.', meta('t', REJECTED), ERROR)
    expect(callsWith([...listed, ...listed], call, both)).toEqual(['own Bash: ! permission denied: Ask first.'])
  })

  it('is the one of the subagent that was denied, not another with the same id', () => {
    const list = [calls('t', 'Read'), calls('t', 'Bash', by('a')), denied('t', 'No.', by('a')), returns('t', 'text')]
    expect(callsWith([], ...list)).toEqual(['own Read: text', 'a Bash: ! permission denied: No.'])
  })
})

describe('a call of Claude Code with permission', () => {
  it('keeps its own result', () => {
    const list = [
      calls('t', 'Bash'),
      returns('t', 'done', meta('t', ACCEPTED)),
      calls('u', 'Bash'),
      returns('u', 'exit code 1', meta('u', ACCEPTED), ERROR),
    ]
    expect(callsWith([], ...list)).toEqual(['own Bash: done', 'own Bash: ! exit code 1'])
  })

  it('has failed if it was not executed', () => {
    const list = [calls('t', 'Bash'), returns('t', 'x', meta('t', { ...ACCEPTED, non_execution_kind: 'cancelled' }))]
    expect(callsWith([], ...list)).toEqual(['own Bash: ! not executed: cancelled'])
  })

  it.each([null, 'all', [null], ['t'], [{}], [{ tool_use_id: 'unknown' }], [{ tool_use_id: { toString: 1 } }]])(
    'is not marked because of denials in another form: %j',
    denials => {
      expect(callsWith(denials, calls('t', 'Bash'), returns('t', 'done'))).toEqual(['own Bash: done'])
    },
  )

  it.each([
    null,
    'reject',
    [null],
    [{ id: 't' }],
    [{ id: 't', permission_decision: 'reject' }],
    [{ id: 't', permission_decision: { decision: ['reject'] } }],
    [{ id: 'u', ...REJECTED }],
    { id: 't', ...REJECTED },
  ])('is not marked because of result data in another form: %j', tool_result_meta => {
    expect(callsWith([], calls('t', 'Bash'), returns('t', 'done', { tool_result_meta }))).toEqual(['own Bash: done'])
  })
})
