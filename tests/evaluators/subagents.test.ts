import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/model/answer.ts'
import { judgeInputSchema } from '../../src/model/judge-protocol.ts'
import { type Message, messageText } from '../../src/model/message.ts'
import type { JudgeRequest } from '../../src/model/prompt.ts'
import { gradeTest, gradingContext, loadTest } from '../support/checks.ts'

const OWN = { role: 'assistant', content: 'I delegate.', tool_calls: [{ tool: 'Agent', input: { prompt: 'Look' } }] }
const DELEGATED = {
  role: 'assistant',
  content: 'I look.',
  tool_calls: [{ tool: 'Skill', input: { skill: 'csv' }, error: 'no' }, { tool: 'Read' }],
  agent_id: 'a1',
}
const LAST = { role: 'assistant', content: 'Done.' }
const ANSWER: Answer = { text: 'Done.', output_messages: [OWN, DELEGATED, LAST] }

async function grade(check: string, answer = ANSWER) {
  const [result] = await gradeTest(await loadTest([check]), answer)
  return result
}

/** The prompt that a judge gets. */
async function judgePrompt(prompt: string, answer = ANSWER): Promise<string> {
  const asked: JudgeRequest[] = []
  const ask = async (_: unknown, request: JudgeRequest) => {
    asked.push(request)
    return { text: '{"score": 1}' }
  }
  await gradeTest(await loadTest([`{type: llm_judge, prompt: "${prompt}"}`]), answer, gradingContext(), ask)
  return messageText(asked[0]?.messages.at(-1) as Message)
}

describe('the prompt of a judge', () => {
  it('indents messages of subagents, which begin with their id, and explains them', async () => {
    const text = await judgePrompt('Well? {{output_messages}}')
    expect(text).toContain('Indented messages with an `agent_id` are from subagents')
    expect(text).toContain('\n  {\n    "role": "assistant",\n    "content": "I delegate."')
    expect(text).toContain('\n      {\n        "agent_id": "a1",\n        "role": "assistant",\n')
    expect(text).toContain('\n  {\n    "role": "assistant",\n    "content": "Done."\n  }\n]')
  })

  it('has all messages as JSON', async () => {
    const text = await judgePrompt('Well? {{output_messages}}')
    const json = /<<<data-\w+\n([\s\S]*)\ndata-\w+>>>/.exec(text)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual(ANSWER.output_messages)
  })

  it('is not changed without subagents', async () => {
    const output_messages = [OWN, LAST]
    const text = await judgePrompt('Well? {{output_messages}}', { text: 'Done.', output_messages })
    expect(text).not.toContain('subagent')
    expect(text).toContain(JSON.stringify(output_messages, null, 2))
    expect(await judgePrompt('Well? {{answer}}')).not.toContain('subagent')
  })
})

describe('the input of a code_judge', () => {
  const inputOf = async (answer: Answer) => {
    const test = await loadTest([`{type: code_judge, command: 'cat > seen.json; echo "{\\"score\\": 1}"'}`])
    await gradeTest(test, answer)
    return judgeInputSchema().parse(JSON.parse(readFileSync(join(dirname(test.at.file), 'seen.json'), 'utf8')))
  }

  it('names the subagent of each message, and counts their calls apart', async () => {
    const { output_messages, trace_summary, traceSummary } = await inputOf(ANSWER)
    expect(output_messages.map(({ agent_id }) => agent_id)).toEqual([undefined, 'a1', undefined])
    expect(trace_summary).toMatchObject({ event_count: 3, llm_call_count: 3, error_count: 1 })
    expect(trace_summary).toMatchObject({ subagent_event_count: 2, subagent_llm_call_count: 1 })
    expect(traceSummary).toMatchObject({ subagentEventCount: 2, subagentLlmCallCount: 1 })
  })

  it('has no such counts without subagents', async () => {
    const { trace_summary, traceSummary } = await inputOf({ text: '', output_messages: [OWN] })
    expect(Object.keys({ ...trace_summary, ...traceSummary }).join()).not.toMatch(/subagent/i)
  })
})

describe('checks of tool calls', () => {
  it('count calls of subagents, in order', async () => {
    const expected = '[{tool: Agent}, {tool: Skill}, {tool: Read}]'
    expect(await grade(`{type: tool_trajectory, mode: exact, expected: ${expected}}`)).toMatchObject({ score: 1 })
    expect(await grade('{type: execution_metrics, max_tool_calls: 2}')).toMatchObject({ score: 0 })
    expect(await grade('{type: trigger_judge, skill: csv}')).toMatchObject({ score: 0 })
  })

  it('name the subagent of a call', async () => {
    const exact = await grade('{type: tool_trajectory, mode: exact, expected: [{tool: Agent}]}')
    expect(exact?.misses).toEqual([
      'Skill was called by subagent a1 with {"skill": "csv"}, which is not expected',
      'Read was called by subagent a1, which is not expected',
      'expected: Agent, –, –; called: Agent, Skill (subagent a1), Read (subagent a1)',
    ])
    const forbidden = await grade('{type: tool_trajectory, forbidden: [Read]}')
    expect(forbidden?.misses).toEqual(['Read was called by subagent a1, which is forbidden'])
    const used = await grade('{type: trigger_judge, skill: csv, scan: all}')
    expect(used?.hits).toEqual(['used the skill csv (Skill {"skill":"csv"} by subagent a1)'])
  })
})
