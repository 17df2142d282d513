import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../src/providers/shared/answer-parts.ts'

const OWN = { role: 'assistant', content: 'Mine.' }
const DELEGATED = { role: 'assistant', content: 'Not mine.', agent_id: 'a1' }
const textOf = (...output_messages: object[]) => readAnswer({ output_messages }, () => expect.unreachable()).text

describe('the answer in a transcript', () => {
  it('is the last text of the agent itself, not of a subagent', () => {
    expect(textOf(OWN, DELEGATED)).toBe('Mine.')
    expect(textOf(DELEGATED, OWN)).toBe('Mine.')
    expect(textOf({ ...OWN, agent_id: null }, DELEGATED)).toBe('Mine.')
  })

  it('is empty if only subagents have spoken', () => {
    expect(textOf(DELEGATED)).toBe('')
  })
})
