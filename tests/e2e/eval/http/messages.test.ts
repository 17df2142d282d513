import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evalFolder, evaluate } from '../../../support/evaluation.ts'
import { type Server, serve } from '../../../support/servers/server.ts'

const HARD = 'Say "ok"\n\t\\ & 100% + ü 😀 {{test_id}} $& $1 ${{ HOME }}'

describe('an HTTP request', () => {
  let server: Server
  beforeAll(async () => {
    server = await serve((_, response) => response.end('ok'))
  })
  afterAll(() => server.close())

  /** The only request of a test. */
  async function sent(test: object, target: object, { files = {}, env = {} } = {}) {
    const before = server.calls.length
    const folder = evalFolder(
      [{ id: 'the-id', ...test }],
      [{ name: 'default', provider: 'http', url: server.url, ...target }],
      files,
    )
    const { code, stderr } = await evaluate(folder, [], env)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const [call, ...others] = server.calls.slice(before)
    if (!call || others.length > 0) throw new Error(`${others.length} calls more than one`)
    return { ...call, folder, json: () => JSON.parse(call.body) }
  }

  it('has prompt, messages and test id by default', async () => {
    const { method, headers, json } = await sent({ input: HARD }, {})
    expect(method).toBe('POST')
    expect(headers['content-type']).toBe('application/json')
    expect(json()).toEqual({ prompt: HARD, messages: [{ role: 'user', content: HARD }], test_id: 'the-id' })
  })

  it('has placeholders replaced in strings, lists and objects, and the rest unchanged', async () => {
    const body = {
      text: '{{prompt}}',
      spaced: ' {{ prompt }} ',
      inside: 'Q: {{prompt}} ({{test_id}}, {{ test_id }})',
      list: [['{{messages}}'], { deep: { id: '{{test_id}}' } }],
      inText: 'All: {{messages}}',
      twice: '{{prompt}}{{prompt}}',
      other: ['{{unknown}}', '{prompt}', 0.5, true, null, { '{{prompt}}': 1 }],
    }
    const { json } = await sent({ input: HARD }, { body })
    const messages = [{ role: 'user', content: HARD }]
    expect(json()).toEqual({
      text: HARD,
      spaced: HARD,
      inside: `Q: ${HARD} (the-id, the-id)`,
      list: [[messages], { deep: { id: 'the-id' } }],
      inText: `All: ${JSON.stringify(messages)}`,
      twice: HARD + HARD,
      other: ['{{unknown}}', '{prompt}', 0.5, true, null, { '{{prompt}}': 1 }],
    })
  })

  it.each([
    ['a text', '{{prompt}}', HARD],
    ['a list', ['{{test_id}}'], ['the-id']],
    ['no', false, false],
  ])('has a body that is %s', async (_, body, expected) => {
    const { json } = await sent({ input: HARD }, { body })
    expect(json()).toEqual(expected)
  })

  it('has all messages, with the system prompt of the target', async () => {
    const input = [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Two' },
      { role: 'user', content: 'Three' },
    ]
    const { json } = await sent({ input }, { system_prompt: 'Be kind.' })
    expect(json()).toEqual({
      prompt: '# system\nBe kind.\n\n# user\nOne\n\n# assistant\nTwo\n\n# user\nThree',
      messages: [{ role: 'system', content: 'Be kind.' }, ...input],
      test_id: 'the-id',
    })
  })

  it('has no system prompt of the target if the test has its own', async () => {
    const input = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
    ]
    const { json } = await sent({ input }, { system_prompt: 'Be kind.' })
    expect(json().messages).toEqual(input)
    expect(json().prompt).toBe('# system\nBe short.\n\n# user\nHi')
  })

  it('has files with path and text, and JSON as JSON', async () => {
    const content = [
      { type: 'text', value: 'Read' },
      { type: 'file', value: 'notes.md' },
      { type: 'json', value: { a: [1] } },
    ]
    const { json, folder } = await sent(
      { input: [{ role: 'user', content }] },
      {},
      { files: { 'notes.md': 'Ünïcode\n' } },
    )
    const path = `${folder}/notes.md`
    expect(json()).toEqual({
      prompt: `Read\n\n<file path="${path}">\nÜnïcode\n\n</file>\n\n{\n  "a": [\n    1\n  ]\n}`,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', value: 'Read' },
            { type: 'file', value: path, text: 'Ünïcode\n' },
            { type: 'json', value: { a: [1] } },
          ],
        },
      ],
      test_id: 'the-id',
    })
  })

  it('has the prompt encoded in the URL and no body with GET', async () => {
    const url = `${server.url}/ask/{{test_id}}?q={{prompt}}&q2={{ prompt }}`
    const { method, path, headers, body } = await sent({ input: HARD }, { url, method: 'GET' })
    const query = encodeURIComponent(HARD)
    expect(method).toBe('GET')
    expect(path.replaceAll("'", '%27')).toBe(`/ask/the-id?q=${query}&q2=${query}`.replaceAll("'", '%27'))
    expect(new URL(path, server.url).searchParams.get('q')).toBe(HARD)
    expect(body).toBe('')
    expect(headers['content-type']).toBeUndefined()
  })

  it('accepts a lone surrogate with GET', async () => {
    const target = { name: 'default', provider: 'http', url: `${server.url}/?q={{prompt}}`, method: 'GET' }
    const { code, stderr } = await evaluate(evalFolder([{ id: 'a', input: 'half \ud83d of it' }], [target]))
    expect({ code, stderr }).not.toMatchObject({ code: 70 })
    expect(stderr).not.toContain('URIError')
  })

  it.each(['PUT', 'PATCH'])('can be sent with %s', async method => {
    const call = await sent({ input: 'hi' }, { method })
    expect(call.method).toBe(method)
    expect(call.json().prompt).toBe('hi')
  })

  it('has headers with variables', async () => {
    const headers = {
      Authorization: 'Bearer ${{ MY_TOKEN }}',
      'X-Both': '${{A}}-${{ B }}',
      'content-type': 'text/x-own',
    }
    const call = await sent(
      { input: 'hi' },
      { headers },
      { env: { MY_TOKEN: 'tok-123456', A: 'left', B: '$&{{prompt}}' } },
    )
    expect(call.headers).toMatchObject({
      authorization: 'Bearer tok-123456',
      'x-both': 'left-$&{{prompt}}',
      'content-type': 'text/x-own',
    })
  })

  it('has variables in the URL and the body', async () => {
    const target = { url: `${server.url}/\${{ PLACE }}`, body: { deep: ['${{ PLACE }}: {{prompt}}'] } }
    const { path, json } = await sent({ input: 'hi' }, target, { env: { PLACE: 'a/b' } })
    expect(path).toBe('/a/b')
    expect(json()).toEqual({ deep: ['a/b: hi'] })
  })
})

describe('an HTTP response', () => {
  const bodies: Record<string, [body: string, response: object | undefined, more?: object]> = {
    'plain text': ['ok\n  with blanks \n', undefined],
    'a JSON string': ['"ok \\u00fc\\n"', undefined],
    'JSON that is not an envelope': ['{"reply": "ok"}', undefined],
    'an envelope': ['{"text": "ok", "model": "m1", "cost_usd": 0.25, "duration_ms": 7}', undefined],
    'an envelope with messages': [
      JSON.stringify({
        output_messages: [
          {
            role: 'assistant',
            content: 'hm',
            tool_calls: [{ id: '1', function: { name: 'look', arguments: '{"at": "x"}' } }],
          },
          { role: 'tool', tool_call_id: '1', content: 'seen' },
          { role: 'assistant', content: 'ok' },
        ],
        token_usage: { input: 3, output: 4, cached: 1, reasoning: 2 },
      }),
      undefined,
    ],
    'an envelope with an error': ['{"text": "", "error": "no more money"}', undefined],
    'an error and nothing else': ['{"error": "boom"}', undefined],
    'an unknown key': ['{"text": "ok", "messages": [], "more": 1}', undefined],
    'an unknown key that is ignored': ['{"text": "ok", "more": 1}', undefined, { unknown_keys: 'warn' }],
    'unknown keys beside paths': ['{"text": "ok", "more": 1}', { text: 'text' }],
    'no key of an answer': ['{"model": "m1"}', undefined],
    'paths into objects and lists': [
      '{"choices": [{"message": {"content": "ok"}}], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}, "model": "m2", "price": 0.5}',
      { text: 'choices[0].message.content', token_usage: 'usage', model: 'model', cost_usd: 'price' },
    ],
    'details of usage as OpenAI gives them': [
      '{"t": "ok", "usage": {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}, "completion_tokens_details": {"reasoning_tokens": 3}}}',
      { text: 't', token_usage: 'usage' },
    ],
    'usage as others give it': [
      '{"t": "ok", "usage": {"input_tokens": 10, "output_tokens": 5, "cached_tokens": 8, "reasoning_tokens": 3}}',
      { text: 't', token_usage: 'usage' },
    ],
    'tool calls at a path': [
      '{"t": "ok", "calls": [{"tool": "look", "input": {"at": "x"}, "output": "seen", "duration_ms": 5}]}',
      { text: 't', tool_calls: 'calls' },
    ],
    'no usage at its path': ['{"t": "ok"}', { text: 't', token_usage: 'usage', cost_usd: 'a.b', model: 'm' }],
    'no JSON': ['<html>ok</html>', { text: 'reply' }],
    'nothing at a path': ['{"reply": {"txt": "ok"}}', { text: 'reply.text' }],
    'null at a path': ['{"reply": null}', { text: 'reply' }],
    'usage that is not an object': ['{"t": "ok", "usage": "many"}', { text: 't', token_usage: 'usage' }],
    'a negative cost': ['{"t": "ok", "price": -1}', { text: 't', cost_usd: 'price' }],
    'messages that are not a list': ['{"m": "ok"}', { output_messages: 'm' }],
  }
  const names = Object.keys(bodies)
  let server: Server
  let run: Evaluated

  beforeAll(async () => {
    server = await serve(({ path }, response) => response.end(bodies[names[Number(path.slice(1))] ?? '']?.[0]))
    run = await evaluate(
      evalFolder(
        names.map((name, index) => ({ id: name, input: 'hi', execution: { target: `t${index}` } })),
        names.map((name, index) => {
          const [, response, more] = bodies[name] ?? []
          return { name: `t${index}`, provider: 'http', url: `${server.url}/${index}`, response, ...more }
        }),
      ),
    )
  })
  afterAll(() => server.close())

  const figures = (input: number, output: number, cached: number, reasoning: number) => ({
    token_usage: { input, output, cached, reasoning },
  })
  const calls = [{ tool: 'look', input: { at: 'x' }, output: 'seen' }]

  it.each([
    ['plain text', { answer: 'ok\n  with blanks \n' }],
    ['a JSON string', { answer: 'ok ü\n' }],
    ['JSON that is not an envelope', { answer: '{"reply": "ok"}' }],
    ['an envelope', { answer: 'ok', model: 'm1', cost_usd: 0.25, duration_ms: 7 }],
    [
      'an envelope with messages',
      { answer: 'ok', ...figures(3, 4, 1, 2), output_messages: [{ tool_calls: calls }, {}, {}] },
    ],
    ['an unknown key that is ignored', { answer: 'ok' }],
    ['unknown keys beside paths', { answer: 'ok' }],
    [
      'paths into objects and lists',
      { answer: 'ok', model: 'm2', cost_usd: 0.5, token_usage: { input: 10, output: 5 } },
    ],
    ['details of usage as OpenAI gives them', { answer: 'ok', ...figures(10, 5, 8, 3) }],
    ['usage as others give it', { answer: 'ok', ...figures(10, 5, 8, 3) }],
    ['tool calls at a path', { answer: 'ok', output_messages: [{ tool_calls: [{ ...calls[0], duration_ms: 5 }] }] }],
    ['no usage at its path', { answer: 'ok' }],
  ])('is an answer: %s', (name, expected) => {
    expect(run.results.get(name)).toMatchObject({ verdict: 'pass', ...expected })
  })

  it.each([
    ['an envelope with an error', 'target-error', /no more money/],
    ['an error and nothing else', 'target-error', /boom/],
    [
      'an unknown key',
      'bad-response',
      /^unknown keys `messages` \(did you mean `output_messages`\?\), `more` in the answer; .*`unknown_keys: warn`.*`response: \{text: …\}`/,
    ],
    ['no key of an answer', 'bad-response', /no text and no messages/],
    ['no JSON', 'bad-response', /^the response is not JSON: <html>ok<\/html>$/],
    [
      'nothing at a path',
      'bad-response',
      /^the response has no value at `reply\.text` \(`response\.text`\): `\{"reply": \{"txt": "ok"\}\}`$/,
    ],
    ['null at a path', 'bad-response', /text/],
    ['usage that is not an object', 'bad-response', /token_usage/],
    ['a negative cost', 'bad-response', /cost_usd/],
    ['messages that are not a list', 'bad-response', /output_messages/],
  ])('is an error without retry: %s', (name, code, message) => {
    expect(run.results.get(name)).toMatchObject({ verdict: 'error', error: { code, stage: 'answer' } })
    expect(run.results.get(name)?.error?.message).toMatch(message)
    expect(server.to(`/${names.indexOf(name)}`)).toHaveLength(1)
  })

  it('causes a warning for ignored unknown keys', () => {
    expect(run.stdout + run.stderr).toContain('ignored the unknown key `more` in the answer')
  })

  it('causes exit code 3 if it is an error', () => {
    expect(run.code).toBe(3)
    expect(run.all).toHaveLength(names.length)
  })
})
