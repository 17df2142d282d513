import { describe, expect, it } from 'vitest'
import { evaluate, resultsIn, suiteFolder } from '../../../support/suite-run.ts'
import { ask } from './ask-program.ts'

/** The result of a program that prints a text. */
async function resultOf(text: string, target: object = {}) {
  const { result } = await ask({ command: ['cat', 'output.txt'], ...target }, { files: { 'output.txt': text } })
  return result
}

const MESSAGES = [
  {
    role: 'assistant',
    content: 'I look.',
    tool_calls: [
      { tool: 'Search', input: { q: 'x' }, output: ['found'], duration_ms: 12 },
      { id: 'c1', function: { name: 'Read', arguments: '{"path":"a.txt"}' } },
      { id: 'c2', function: { name: 'Read', arguments: 'not JSON' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'The text' },
  { role: 'assistant', content: 'It is there.' },
]

describe('an envelope printed by a program', () => {
  it('gives the answer, the transcript and usage', async () => {
    const envelope = {
      output_messages: MESSAGES,
      token_usage: { input: 100, output: 20, cached: 5, reasoning: 7 },
      cost_usd: 0.25,
      duration_ms: 1234,
      model: 'big-1',
    }
    const result = await resultOf(`\n${JSON.stringify(envelope, null, 2)}\n\n`)
    expect(result).toMatchObject({
      verdict: 'pass',
      answer: 'It is there.',
      model: 'big-1',
      cost_usd: 0.25,
      duration_ms: 1234,
    })
    expect(result.token_usage).toEqual({ input: 100, output: 20, cached: 5, reasoning: 7 })
    expect(result.trace_summary).toEqual({
      event_count: 3,
      tool_names: ['Search', 'Read'],
      tool_calls_by_name: { Search: 1, Read: 2 },
      error_count: 0,
      llm_call_count: 2,
    })
    expect(result.output_messages?.[0]?.tool_calls).toEqual([
      { tool: 'Search', input: { q: 'x' }, output: ['found'], duration_ms: 12 },
      { tool: 'Read', input: { path: 'a.txt' }, output: 'The text' },
      { tool: 'Read', input: 'not JSON' },
    ])
    expect(result.output_messages?.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant'])
  })

  it.each([
    ['text', { text: 'Hello\n' }, 'Hello\n'],
    ['output', { output: 'Hello' }, 'Hello'],
    ['output as messages', { output: [{ role: 'assistant', content: 'Hello' }] }, 'Hello'],
    ['text beside messages', { text: 'Short', output_messages: MESSAGES }, 'Short'],
  ])('gives the answer from %s', async (_, envelope, answer) => {
    expect((await resultOf(JSON.stringify(envelope))).answer).toBe(answer)
  })

  it('with an error gives no answer', async () => {
    const result = await resultOf(JSON.stringify({ text: '', error: 'out of credit' }))
    expect(result).toMatchObject({ verdict: 'error', answer: null, error: { stage: 'answer' } })
    expect(result.error?.message).toContain('out of credit')
  })

  it.each([
    ['invalid messages', { output_messages: ['Hello'] }, 'output_messages[0]'],
    ['a tool call without a name', { output_messages: [{ role: 'assistant', tool_calls: [{ input: 1 }] }] }, 'tool'],
    ['a cost that is no number', { text: 'Hello', cost_usd: 'much' }, 'cost_usd'],
    ['half a token', { text: 'Hello', token_usage: { input: 0.5 } }, 'token_usage.input'],
  ])('is an error that names the key for %s', async (_, envelope, place) => {
    const result = await resultOf(JSON.stringify(envelope))
    expect(result.error).toMatchObject({ code: 'bad-response', stage: 'answer' })
    expect(result.error?.message).toContain(place)
  })
})

const HELLO = { type: 'equals', value: 'Hello' }

describe('JSON that is almost an envelope', () => {
  it.each<[what: string, text: string, code: string, message: string]>([
    [
      'names an unknown key and what to do',
      '{"text": "Hello", "cost": 1}',
      'bad-response',
      'unknown key `cost` (did you mean `cost_usd`?) in the answer; fix the spelling, set `unknown_keys: warn` to ignore unknown keys, or set `output_format: text` if the JSON itself is the answer',
    ],
    ['needs text or messages', '{"model": "big-1"}', 'bad-response', 'the answer has no text and no messages'],
    ['reports an error without text', '{"error": "boom"}', 'target-error', 'the target reported an error: boom'],
    [
      'is reported where it breaks off',
      '{"text": "Hel',
      'bad-response',
      'the answer is not valid JSON: this string is not closed; fix it, or set `output_format: text` if the text itself is the answer',
    ],
    [
      'names a line that is printed around it',
      'Loading…\n{"text": "Hello"}',
      'bad-response',
      'line 1 `Loading…` is not part of the answer; print logs to stderr, or set `output_format: text` if all of the output is the answer',
    ],
  ])('%s', async (_, text, code, message) => {
    const result = await resultOf(`${text}\n`)
    expect(result).toMatchObject({ verdict: 'error', answer: null, error: { code, stage: 'answer', message } })
  })

  it('is accepted with `unknown_keys: warn` and one warning', async () => {
    const command = ['echo', '{"text": "Hello", "mood": "good"}']
    const tests = ['a', 'b', 'c'].map(id => ({ id, criteria: 'Answers', input: 'Hi', assert: [HELLO] }))
    const folder = suiteFolder({ tests }, [{ name: 'default', provider: 'cli', command, unknown_keys: 'warn' }])
    const { code, stdout, stderr } = await evaluate(folder)
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 })
    expect(resultsIn(folder).map(({ answer }) => answer)).toEqual(['Hello', 'Hello', 'Hello'])
    const warnings = (stdout + stderr).split('\n').filter(line => line.includes('unknown key'))
    expect(warnings).toEqual([expect.stringContaining('default: ignored the unknown key `mood` in the answer')])
  })
})

describe('any other output is the text of the answer', () => {
  it.each([
    ['JSON without known keys', '{"city": "Bern", "country": "CH"}'],
    ['an empty object', '{}'],
    ['a list', '[{"text": "Hello"}]'],
    ['a string', '"Hello"'],
    ['words before it on the same line', 'Sure: {"text": "Hello"}'],
    ['half an object without known keys', '{"city": "Ber'],
  ])('%s', async (_, text) => {
    const result = await resultOf(`${text}\n`)
    expect(result).toMatchObject({ verdict: 'pass', answer: text })
    expect(result.output_messages).toBeUndefined()
    expect(result.trace_summary).toBeUndefined()
    expect(result.cost_usd).toBeUndefined()
  })

  it.each([
    ['Hello', 'Hello'],
    ['Hello\n', 'Hello'],
    ['Hello\r\n', 'Hello'],
    ['Hello\n\n', 'Hello\n'],
    ['\n  Hello  \n', '\n  Hello  '],
  ])('without one final line break: %j', async (text, answer) => {
    expect((await resultOf(text)).answer).toBe(answer)
  })
})

describe('output_format', () => {
  it('text keeps an envelope as text', async () => {
    const text = '{"text": "Hello"}'
    expect((await resultOf(`${text}\n`, { output_format: 'text' })).answer).toBe(text)
  })

  it('json rejects unknown keys', async () => {
    const text = '{"text": "Hello", "mood": "good", "model": "big-1"}'
    const result = await resultOf(text, { output_format: 'json' })
    expect(result).toMatchObject({ verdict: 'error', answer: null, error: { code: 'bad-response', stage: 'answer' } })
    expect(result.error?.message).toContain('unknown key `mood`')
    const lenient = await resultOf(text, { output_format: 'json', unknown_keys: 'warn' })
    expect(lenient).toMatchObject({ verdict: 'pass', answer: 'Hello', model: 'big-1' })
  })

  it('json reports invalid JSON with its beginning', async () => {
    const result = await resultOf('Sure: Hello', { output_format: 'json' })
    expect(result).toMatchObject({ verdict: 'error', answer: null, error: { code: 'bad-response', stage: 'answer' } })
    expect(result.error?.message).toContain('Sure: Hello')
  })
})
