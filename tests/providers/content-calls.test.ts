import { describe, expect, it } from 'vitest'
import { readProgramOutput as read } from '../support/program-output.ts'

/** Reads an answer with these messages. */
function readMessages(...output_messages: object[]) {
  return read(JSON.stringify({ output_messages }))
}

const USE = { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } }
const CALLING = { role: 'assistant', content: [{ type: 'text', text: 'Wait.' }, USE] }

/** A message with the result of a call as a block. */
function result(fields: object, ...others: object[]) {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', ...fields }, ...others] }
}

describe('tool calls in the content of a message', () => {
  it('are read from `tool_use` blocks, with the outputs of `tool_result` blocks', () => {
    const { answer } = readMessages(CALLING, result({ content: 'ok' }), { role: 'assistant', content: 'Done' })
    expect(answer).toEqual({
      text: 'Done',
      output_messages: [
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Wait.' }],
          tool_calls: [{ tool: 'f', input: { a: 1 }, output: 'ok' }],
        },
        { role: 'assistant', content: 'Done' },
      ],
    })
  })

  it.each<[what: string, block: object, call: object]>([
    ['without an input', { type: 'tool_use', id: 't1', name: 'f' }, { tool: 'f' }],
    ['with a text as input, which stays one', { ...USE, input: '1' }, { tool: 'f', input: '1' }],
    ['without an id', { type: 'tool_use', name: 'f', input: {} }, { tool: 'f', input: {} }],
    ['run by the service', { ...USE, type: 'server_tool_use' }, { tool: 'f', input: { a: 1 } }],
    ['of an MCP server', { ...USE, type: 'mcp_tool_use', server_name: 's' }, { tool: 'f', input: { a: 1 } }],
    [
      'of the Responses API',
      { type: 'function_call', call_id: 't1', name: 'f', arguments: '{"a": 1}' },
      { tool: 'f', input: { a: 1 } },
    ],
  ])('may be %s', (_, block, call) => {
    const { answer } = readMessages({ role: 'assistant', content: 'Hi' }, { role: 'assistant', content: [block] })
    expect(answer).toEqual({
      text: 'Hi',
      output_messages: [
        { role: 'assistant', content: 'Hi' },
        { role: 'assistant', tool_calls: [call] },
      ],
    })
    expect(readMessages({ role: 'assistant', content: block }).answer?.output_messages).toEqual([
      { role: 'assistant', tool_calls: [call] },
    ])
  })

  it.each<[what: string, answered: object, outcome: object]>([
    ['an error', result({ content: 'no', is_error: true }), { output: 'no', error: 'no' }],
    ['an error without a message', result({ is_error: true }), { error: 'an error without a message' }],
    ['blocks', result({ content: [{ type: 'text', text: 'x' }] }), { output: [{ type: 'text', text: 'x' }] }],
    ['a tool message', { role: 'tool', tool_call_id: 't1', content: 'ok' }, { output: 'ok' }],
    [
      'an output of the Responses API',
      { role: 'user', content: [{ type: 'function_call_output', call_id: 't1', output: 'ok' }] },
      { output: 'ok' },
    ],
  ])('have %s as their result', (_, answered, outcome) => {
    const { answer } = readMessages(CALLING, answered)
    expect(answer?.output_messages?.[0]?.tool_calls).toEqual([{ tool: 'f', input: { a: 1 }, ...outcome }])
  })

  it('keep other content, and results of unknown calls', () => {
    const text = { type: 'text', text: 'And now?' }
    const other = { type: 'tool_result', tool_use_id: 't2', content: 'lost' }
    const { answer } = readMessages(CALLING, result({ content: 'ok' }, text, other))
    expect(answer?.output_messages?.[1]).toEqual({ role: 'user', content: [text, other] })
  })

  it.each<[what: string, message: object, problem: string]>([
    [
      'no name',
      { content: [{ ...USE, name: undefined }] },
      '.content[0]` of the answer: the name of the tool is missing',
    ],
    ['an empty name', { content: ['a', { ...USE, name: '' }] }, '.content[1]` of the answer: the name of the tool'],
    ['a number as name', { content: [{ ...USE, name: 1 }] }, '.content[0]` of the answer: the name of the tool'],
    [
      'calls in `tool_calls` too',
      { content: [USE], tool_calls: [{ tool: 'f' }] },
      '` of the answer: tool calls in `content` and in `tool_calls` cannot be used together',
    ],
  ])('with %s are an error that names the path', (_, message, problem) => {
    expect(readMessages({ role: 'user', content: 'Hi' }, { role: 'assistant', ...message })).toMatchObject({
      code: 'bad-response',
      message: expect.stringContaining(`\`output_messages[1]${problem}`),
    })
  })

  it.each<object>([
    { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} },
    { type: 'tool-getWeather', toolCallId: 'c', input: {}, output: 1 },
    { type: 'dynamic-tool', toolName: 'f' },
    { type: 'toolCall', name: 'f' },
    { type: 'web_search_call', id: 'c' },
    { type: 'custom_tool_call', name: 'f' },
    { functionCall: { name: 'f', args: {} } },
    { toolUse: { toolUseId: 'c', name: 'f', input: {} } },
  ])('are an error in the unsupported form %j', block => {
    expect(readMessages({ role: 'assistant', content: [{ type: 'text', text: 'Hi' }, block] })).toMatchObject({
      code: 'bad-response',
      message:
        '`output_messages[0].content[1]` of the answer: is a tool call in an unsupported form; use `tool_calls`, or a block of type `tool_use`, `server_tool_use`, `mcp_tool_use`, `function_call`',
    })
  })

  it.each<[what: string, message: object]>([
    ['the output of a tool', { role: 'tool', content: [USE, { type: 'tool-call' }] }],
    [
      'thoughts and images',
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'tool_use' }, { type: 'image' }] },
    ],
    ['a structured content', { role: 'assistant', content: { type: 'phone_call', tool_use: true } }],
    ['texts', { role: 'assistant', content: ['tool_use', null, 1, []] }],
  ])('are not read from %s', (_, message) => {
    expect(readMessages(message).answer?.output_messages).toEqual([message])
  })

  it('are read quickly, even if there are many', () => {
    const content = Array.from({ length: 50_000 }, (_, index) => ({ ...USE, id: `t${index}` }))
    const results = content.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: id }))
    const { answer } = readMessages({ role: 'assistant', content }, { role: 'user', content: results })
    expect(answer?.output_messages).toHaveLength(1)
    expect(answer?.output_messages?.[0]?.tool_calls?.at(-1)).toEqual({ tool: 'f', input: { a: 1 }, output: 't49999' })
  })
})
