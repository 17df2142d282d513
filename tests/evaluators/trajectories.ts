import { expect } from 'vitest'
import type { Answer, ToolCall } from '../../src/model/answer.ts'
import { gradeChecks } from '../support/checks.ts'

/** `in_order(a b:10); minimums: {c: 1}`: a mode, the expected tools with their maximum durations, and other fields. */
export function trajectoryCheck(text: string): string {
  const fields = text.split('; ').map(part => {
    const [, mode, words] = /^(\w*)\((.*)\)$/.exec(part) ?? []
    if (words === undefined) return part
    const expected = words.split(' ').flatMap(word => {
      const [tool, limit] = word.split(':')
      return tool ? [limit ? `{tool: ${tool}, max_duration_ms: ${limit}}` : `{tool: ${tool}}`] : []
    })
    return `${mode ? `mode: ${mode}, ` : ''}expected: [${expected.join(', ')}]`
  })
  return `{type: tool_trajectory, ${fields.join(', ')}}`
}

/** A check and its negation. */
export function bothWays(check: string): [plain: string, negated: string] {
  return [trajectoryCheck(check), trajectoryCheck(`${check}; negate: true`)]
}

/** `a b:5`: calls with their optional durations. */
export function callsOf(text: string): ToolCall[] {
  return text.split(' ').flatMap(word => {
    const [tool, took] = word.split(':')
    if (!tool) return []
    return [took === undefined ? { tool } : { tool, duration_ms: Number(took) }]
  })
}

/** An answer with one message per call. */
export function answerWith(calls: string | readonly ToolCall[]): Answer {
  const list = typeof calls === 'string' ? callsOf(calls) : calls
  return { text: '', output_messages: list.map(call => ({ role: 'assistant', tool_calls: [call] })) }
}

/** Expects this score for these calls, and the inverse if the check is negated. */
export async function expectScore(check: string, calls: string, score: number): Promise<void> {
  const [plain, negated] = await gradeChecks(bothWays(check), answerWith(calls))
  expect(plain?.error).toBeUndefined()
  expect(plain?.score).toBeCloseTo(score, 12)
  expect(negated?.score).toBeCloseTo(1 - score, 12)
  expect([negated?.hits, negated?.misses]).toEqual([plain?.misses, plain?.hits])
  if (score === 1) expect(plain?.misses).toEqual([])
  else expect(plain?.misses).not.toEqual([])
}
