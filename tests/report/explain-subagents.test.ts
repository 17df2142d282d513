import { describe, expect, it } from 'vitest'
import type { OutputMessage } from '../../src/model/answer.ts'
import { explainAttempt } from '../../src/report/explain.ts'
import { resultWith } from '../support/recorded-run.ts'

const explained = (output_messages: OutputMessage[], verbose = false) =>
  explainAttempt(resultWith({ output_messages }), file => file, verbose)

describe('explain', () => {
  const messages = [
    { role: 'assistant', tool_calls: [{ tool: 'Agent', input: { prompt: 'Look' } }] },
    { role: 'assistant', agent_id: 'a1', tool_calls: [{ tool: 'Read', error: 'no such file', output: 'one\ntwo' }] },
    { role: 'assistant', tool_calls: [{ tool: 'Bash' }] },
  ]

  it('indents and marks the calls of subagents', () => {
    expect(explained(messages)).toContain(`
tool calls:
  1. Agent {"prompt": "Look"}
      2. [subagent a1] Read
         error: no such file
  3. Bash
answer: Hello
`)
  })

  it('indents all lines of their outputs', () => {
    expect(explained(messages, true)).toContain('\n         output: one\n           two\n  3. Bash\n')
  })

  it('shows the id of a subagent on one line', () => {
    const agent_id = 'x\n  9. Bash {}\u001b[31m'
    const text = explained([{ role: 'assistant', agent_id, tool_calls: [{ tool: 'Read' }] }])
    expect(text).toContain('\n      1. [subagent x↵  9. Bash {}␛[31m] Read\n')
  })
})
