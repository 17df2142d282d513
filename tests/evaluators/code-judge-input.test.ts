import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { Answer } from '../../src/model/answer.ts'
import { judgeInputSchema } from '../../src/model/judge-protocol.ts'
import { gradeTest, loadTest } from '../support/checks.ts'

const KEEP = `{type: code_judge, command: 'cat > seen.json; echo "{\\"score\\": 1}"'}`

/** The input of a judge for an answer to a test with these fields. */
async function inputOf(answer: Answer, fields = '', workspace?: string): Promise<Record<string, unknown>> {
  const test = await loadTest([KEEP], {}, fields)
  const [result] = await gradeTest(test, answer, undefined, undefined, workspace)
  expect(result?.error).toBeUndefined()
  return JSON.parse(readFileSync(join(workspace ?? dirname(test.at.file), 'seen.json'), 'utf8'))
}

const texts = z.array(z.string())
const mapping = z.record(z.string(), z.unknown())
const figure = z.number().nullable()
const message = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), mapping, z.array(mapping)]).optional(),
  toolCalls: z.array(z.object({ tool: z.string(), durationMs: z.number().optional() })).optional(),
})
const summary = z.object({
  eventCount: z.number(),
  toolNames: texts,
  toolCallsByName: z.record(z.string(), z.number()),
  errorCount: z.number(),
  llmCallCount: z.number(),
  costUsd: figure,
  durationMs: figure,
})

/** The public keys as camelCase readers see them. None is optional. */
const publicInput = z.object({
  question: z.string(),
  criteria: z.string(),
  answer: z.string(),
  candidateAnswer: z.string(),
  referenceAnswer: z.string(),
  input: z.array(message),
  inputMessages: z.array(message),
  expectedOutput: z.array(message),
  expectedMessages: z.array(message),
  output: z.array(message).min(1),
  outputMessages: z.array(message).min(1),
  guidelineFiles: texts,
  inputFiles: texts,
  trace: summary,
  traceSummary: summary,
  tokenUsage: z.object({ input: z.number(), output: z.number(), cached: z.number().optional() }).nullable(),
  costUsd: figure,
  durationMs: figure,
  workspacePath: z.string().nullable(),
  config: mapping,
})

/** Converts all keys to camelCase, recursively; of two keys that become equal, the later one counts. */
function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase)
  if (typeof value !== 'object' || value === null) return value
  const camel = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [camel(key), inCamelCase(item)]))
}

const CALL = { tool: 'Read', input: { file_path: 'a.md' }, output: 7, duration_ms: 3, error: 'no' }
const CONTENTS = [null, 7, true, ['a', 'b'], [], [[1]], { aKey: 1 }, [{ type: 'text', text: 'Hi' }], 'Hi', undefined]

const ANSWERS: [what: string, answer: Answer, fields?: string][] = [
  ['an answer that is text only', { text: 'ok' }],
  ['an empty answer', { text: '' }],
  ['an answer of odd characters', { text: '\u0000 "é" 🎉 \u2028 {{answer}}' }],
  ['a transcript without messages', { text: '', output_messages: [] }],
  ['a transcript with calls', { text: 'ok', output_messages: [{ role: 'assistant', tool_calls: [CALL] }] }],
  [
    'messages of any content',
    {
      text: 'ok',
      output_messages: CONTENTS.map(content => ({ role: 'tool', ...(content === undefined ? {} : { content }) })),
    },
  ],
  ['no tokens', { text: 'ok', token_usage: {} }],
  ['half of the tokens', { text: 'ok', token_usage: { output: 5 } }],
  ['all numbers', { text: 'ok', token_usage: { input: 1, output: 2, reasoning: 1 }, cost_usd: 0, duration_ms: 0.5 }],
  ...['Yes', '42', 'false', '[a, b]', '[]', '[1, {a: 2}]', '{a_key: 1}', '[{role: assistant, content: Yes}]'].map(
    (expected): [string, Answer, string] => [
      `the expected output ${expected}`,
      { text: 'ok' },
      `expected_output: ${expected}`,
    ],
  ),
]

describe('the input of a code judge', () => {
  it.each(ANSWERS)('has every public key for %s', async (_, answer, fields) => {
    const input = await inputOf(answer, fields)
    expect(publicInput.safeParse(inCamelCase(input)).error?.issues).toBeUndefined()
    expect(judgeInputSchema().safeParse(input).error?.issues).toBeUndefined()
  })

  it('has every key in snake_case and in camelCase, even if values are unknown', async () => {
    const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const [least, most] = await Promise.all([
      inputOf({ text: 'ok' }),
      inputOf({ text: 'ok', output_messages: [], token_usage: { input: 1 }, cost_usd: 1, duration_ms: 1 }, 'note: Hi'),
    ])
    expect(Object.keys(least)).toEqual(Object.keys(most))
    expect(
      Object.keys(least)
        .map(camel)
        .filter(key => !Object.hasOwn(least, key)),
    ).toEqual([])
  })

  it('has a text answer as one assistant message, with `has_transcript: false`', async () => {
    const message = { role: 'assistant', content: 'ok' }
    expect(await inputOf({ text: 'ok', duration_ms: 12 })).toMatchObject({
      output_messages: [message],
      outputMessages: [message],
      output: [message],
      has_transcript: false,
      trace_summary: { event_count: 0, tool_names: [], cost_usd: null, duration_ms: 12 },
    })
  })

  it('has cost and duration in both summaries', async () => {
    const output_messages = [{ role: 'assistant', tool_calls: [CALL, CALL] }]
    const input = await inputOf({ text: 'ok', output_messages, cost_usd: 0.25, duration_ms: 1234 })
    const counts = { event_count: 2, tool_names: ['Read'], tool_calls_by_name: { Read: 2 }, error_count: 2 }
    const expected = { ...counts, llm_call_count: 1, cost_usd: 0.25, duration_ms: 1234 }
    expect(input).toMatchObject({ has_transcript: true, trace: expected, trace_summary: expected })
    expect(input['traceSummary']).toEqual(inCamelCase(expected))
  })

  it('has tokens in camelCase only if input and output are both known', async () => {
    const half = { output: 5 }
    expect(await inputOf({ text: 'ok', token_usage: half })).toMatchObject({ token_usage: half, tokenUsage: null })
    const all = { input: 1, output: 5 }
    expect(await inputOf({ text: 'ok', token_usage: all })).toMatchObject({ token_usage: all, tokenUsage: all })
    expect(await inputOf({ text: 'ok' })).toMatchObject({ token_usage: null, tokenUsage: null })
  })

  it('keeps the keys inside user data unchanged', async () => {
    const fields = 'metadata: {aKey: 1, a_key: 2}\nexpected_output: {bKey: 1, b_key: 2}'
    const output_messages = [{ role: 'assistant', tool_calls: [{ tool: 'x', input: { cKey: 1, c_key: 2 } }] }]
    expect(await inputOf({ text: 'ok', output_messages }, fields)).toMatchObject({
      metadata: { aKey: 1, a_key: 2 },
      expected_output: [{ role: 'assistant', content: { bKey: 1, b_key: 2 } }],
      outputMessages: output_messages,
    })
  })
})

describe('a judge that fails', () => {
  const failure = async (command: string, more = '') => {
    const check = `{type: code_judge, command: ${JSON.stringify(command)}${more}}`
    const [result] = await gradeTest(await loadTest([check]), { text: 'ok' })
    return result?.error
  }

  it('reports the end of stdout if stderr is empty', async () => {
    const { code, message = '' } = (await failure('for n in $(seq 30); do echo "line $n"; done; exit 1')) ?? {}
    expect(code).toBe('judge-failed')
    expect(message).toContain('exit code 1')
    const last = Array.from({ length: 20 }, (_, at) => `${at === 0 ? '…' : ''}line ${at + 11}`)
    expect(message.split('\n').slice(1)).toEqual(['stdout:', ...last])
  })

  it('reports its output before a timeout', async () => {
    const error = await failure('echo so far; sleep 60', ', timeout_seconds: 3')
    expect(error?.code).toBe('judge-timeout')
    expect(error?.message).toMatch(/with empty stderr; stdout: so far$/)
  })

  it('reports only stderr if it is not empty', async () => {
    const error = await failure('echo out; echo err >&2; exit 1')
    expect(error?.message).toMatch(/exit code 1: err$/)
  })

  it('reports that there was no output', async () => {
    const error = await failure('exit 1')
    expect(error?.message).not.toContain('stdout')
  })
})
