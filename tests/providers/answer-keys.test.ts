import { describe, expect, it } from 'vitest'
import { readProgramOutput as read } from '../support/program-output.ts'

describe('tool calls', () => {
  const calls = (...tool_calls: object[]) => read(JSON.stringify({ text: 'Hi', tool_calls }))

  it.each<[what: string, call: object, recorded: object]>([
    ['`args`', { tool: 'Read', args: { path: 'a' } }, { tool: 'Read', input: { path: 'a' } }],
    ['`id` and `type`', { id: '1', type: 'tool_use', tool: 'Read', input: 1 }, { tool: 'Read', input: 1 }],
    ['a function', { function: { name: 'Read', arguments: '{"a": [1]}' } }, { tool: 'Read', input: { a: [1] } }],
    ['a function and the same name', { tool: 'Read', function: { name: 'Read' } }, { tool: 'Read' }],
    ['null for missing values', { tool: 'Read', error: null, id: null, duration_ms: null }, { tool: 'Read' }],
    ['an input of null', { tool: 'Read', input: null }, { tool: 'Read', input: null }],
    [
      'times',
      { tool: 'Read', start_time: '2026-01-05T10:00:00Z', end_time: '2026-01-05T12:00:00.5+02:00' },
      { tool: 'Read', duration_ms: 500 },
    ],
    [
      'a duration, which has priority over times',
      { tool: 'Read', start_time: '2026-01-05T10:00:00Z', end_time: '2026-01-05T10:00:01Z', duration_ms: 7 },
      { tool: 'Read', duration_ms: 7 },
    ],
  ])('may have %s', (_, call, recorded) => {
    expect(calls(call).answer?.output_messages?.[0]?.tool_calls).toEqual([recorded])
  })

  it.each<[what: string, call: object, message: string]>([
    ['no name', { input: 1 }, '`tool_calls[1]` of the answer: the name of the tool is missing'],
    ['two names', { tool: 'a', function: { name: 'b' } }, '`tool_calls[1]` of the answer: `tool` and `function.name`'],
    ['two inputs', { tool: 'a', input: 1, args: 1 }, '`tool_calls[1]` of the answer: `input` and `args` cannot'],
    ['a typo', { tool: 'a', argz: 1 }, 'unknown key `tool_calls[1].argz` (did you mean `args`?)'],
    ['a name of another format', { name: 'a' }, 'unknown key `tool_calls[1].name` (did you mean `tool`?)'],
    [
      'a typo in a function',
      { function: { nam: 'a' } },
      'unknown key `tool_calls[1].function.nam` (did you mean `name`?)',
    ],
    ['an invalid time', { tool: 'a', start_time: 'now' }, '`tool_calls[1].start_time` of the answer'],
    ['a time as a number', { tool: 'a', start_time: 1 }, '`tool_calls[1].start_time` of the answer'],
    [
      'an end before its start',
      { tool: 'a', start_time: '2026-01-05T10:00:01Z', end_time: '2026-01-05T10:00:00Z' },
      '`tool_calls[1].end_time` of the answer: is before',
    ],
    ['a negative duration', { tool: 'a', duration_ms: -1 }, '`tool_calls[1].duration_ms` of the answer'],
  ])('with %s are an error that names the path', (_, call, message) => {
    const result = calls({ tool: 'fine' }, call)
    expect(result.code).toBe('bad-response')
    expect(result.message).toContain(message)
  })
})

describe('tool calls beside messages', () => {
  const tool_calls = [{ tool: 'del' }]
  const messages = [{ role: 'assistant', content: 'Hi' }]

  it.each<[key: string, answer: object]>([
    ['output_messages', { text: 'Hi', output_messages: messages, tool_calls }],
    ['output_messages', { output_messages: [], tool_calls }],
    ['output', { output: messages, tool_calls }],
  ])('are an error with `%s`, in %j', (key, answer) => {
    expect(read(JSON.stringify(answer))).toMatchObject({
      code: 'bad-response',
      message: `the answer has both \`tool_calls\` and \`${key}\`: move the calls into the messages`,
    })
  })

  it.each([null, []])('may be %j, since nothing is lost', none => {
    const { answer } = read(JSON.stringify({ output_messages: messages, tool_calls: none }))
    expect(answer).toEqual({ text: 'Hi', output_messages: messages })
  })

  it('are an error if both `output` and `output_messages` have messages', () => {
    const output = [{ role: 'assistant', tool_calls }]
    expect(read(JSON.stringify({ output_messages: messages, output }))).toMatchObject({
      code: 'bad-response',
      message: 'the answer has messages in both `output` and `output_messages`: keep one of them',
    })
  })
})

describe('the role of a message', () => {
  const ROLES = ['system', 'user', 'assistant', 'tool', 'developer', 'function']

  it.each(ROLES)('may be `%s`', role => {
    const messages = [{ role, content: 'Hi' }]
    expect(read(JSON.stringify({ output_messages: messages })).answer?.output_messages).toEqual(messages)
  })

  it.each<[role: unknown, named: string]>([
    ['assitant', '`assitant` is unknown'],
    ['Assistant', '`Assistant` is unknown'],
    ['', '`` is unknown'],
    ['a\nb', '`a↵b` is unknown'],
    ['__proto__', '`__proto__` is unknown'],
    [undefined, 'is missing or not a string'],
    [null, 'is missing or not a string'],
    [1, 'is missing or not a string'],
  ])('is an error as %j', (role, named) => {
    const message = (key: string) =>
      `\`${key}[1].role\` of the answer: ${named}; use \`system\`, \`user\`, \`assistant\`, \`tool\`, \`developer\` or \`function\``
    for (const key of ['output', 'output_messages']) {
      const output = JSON.stringify({
        [key]: [
          { role: 'user', content: 'Hi' },
          { role, content: 'x' },
        ],
      })
      for (const unknown_keys of ['error', 'warn'] as const)
        expect(read(output, { unknown_keys })).toMatchObject({ code: 'bad-response', message: message(key) })
    }
  })
})

describe('token usage', () => {
  it.each<[what: string, written: object, usage: object]>([
    [
      'the names of Anthropic, whose input is without the tokens of caches',
      { input_tokens: 10, cache_read_input_tokens: 1000, cache_creation_input_tokens: 500, output_tokens: 20 },
      { input: 1510, cached: 1000, output: 20 },
    ],
    ['only written to a cache', { input_tokens: 10, cache_creation_input_tokens: 500 }, { input: 510 }],
    [
      'null for no cache',
      { input_tokens: 10, cache_read_input_tokens: null, cache_creation_input_tokens: 0 },
      { input: 10 },
    ],
    ['no input', { cache_read_input_tokens: 1000, output_tokens: 20 }, { cached: 1000, output: 20 }],
    [
      'our `input`, which is with them',
      { input: 1510, cache_read_input_tokens: 1000, cache_creation_input_tokens: 500 },
      { input: 1510, cached: 1000 },
    ],
    [
      'the names of OpenAI, whose input is with them',
      { prompt_tokens: 1510, cache_read_input_tokens: 1000, cache_creation_input_tokens: 500 },
      { input: 1510, cached: 1000 },
    ],
    [
      'the names of the Responses API, whose input is with them',
      { input_tokens: 1510, input_tokens_details: { cached_tokens: 1000 } },
      { input: 1510, cached: 1000 },
    ],
  ])('may have %s', (_, token_usage, usage) => {
    expect(read(JSON.stringify({ text: 'Hi', token_usage })).answer?.token_usage).toEqual(usage)
  })

  it('is an error if its sum exceeds 2^53', () => {
    const token_usage = { input_tokens: Number.MAX_SAFE_INTEGER, cache_read_input_tokens: 1 }
    expect(read(JSON.stringify({ text: 'Hi', token_usage }))).toMatchObject({
      code: 'bad-response',
      message: '`token_usage` of the answer: the input tokens add up to more than 2^53',
    })
  })
})

describe('unknown keys inside an answer', () => {
  it.each<[what: string, answer: object, named: string]>([
    [
      'a message',
      { output_messages: [{ role: 'assistant', contents: 'Hi' }] },
      '`output_messages[0].contents` (did you mean `content`?)',
    ],
    ['`output`', { output: [{ role: 'assistant', contents: 'Hi' }] }, '`output[0].contents` (did you mean `content`?)'],
    [
      '`token_usage`',
      { text: 'Hi', token_usage: { input: 1, ouput: 2 } },
      '`token_usage.ouput` (did you mean `output`?)',
    ],
  ])('of %s are an error, or a warning', (_, answer, named) => {
    const output = JSON.stringify(answer)
    expect(read(output).message).toContain(`unknown key ${named} in the answer; fix the spelling`)
    const { answer: ignored, warnings } = read(output, { unknown_keys: 'warn' })
    expect(ignored).toBeDefined()
    expect(warnings).toEqual([`ignored the unknown key ${named} in the answer`])
  })

  it('are ignored without a value', () => {
    const output = '{"output_messages": [{"role": "assistant", "content": "Hi", "refusal": null}], "mood": null}'
    expect(read(output)).toMatchObject({ answer: { text: 'Hi' }, warnings: [] })
  })

  it('are reported quickly, even if there are many', () => {
    const message = { role: 'assistant', content: '', a: 1, b: 2 }
    const output = JSON.stringify({ output_messages: Array.from({ length: 50_000 }, () => message) })
    expect(read(output).message).toContain(' and 99995 more in the answer')
    expect(read(output, { unknown_keys: 'warn' }).answer?.output_messages).toHaveLength(50_000)
  })
})

describe('an object without a key of an answer', () => {
  it.each<[key: string, meant: string]>([
    ['txt', 'text'],
    ['Text ', 'text'],
    ['ouput', 'output'],
    ['messages', 'output_messages'],
    ['output_message', 'output_messages'],
  ])('with `%s` is text, with a warning', (key, meant) => {
    const output = JSON.stringify({ [key]: 'Hi' })
    const { answer, warnings } = read(output)
    expect(answer).toEqual({ text: output })
    expect(warnings).toEqual([
      `the JSON answer is read as text: rename \`${key}\` to \`${meant}\` if that is the key you want, otherwise set \`output_format: text\` if the JSON itself is the answer`,
    ])
    expect(read(output, { output_format: 'text' }).warnings).toEqual([])
  })
})
