import { beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  type Case,
  KEY,
  type ModelRun,
  PROVIDERS,
  type ProviderName,
  type RequestBody,
} from '../../../support/servers/model-servers.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const GIF = 'R0lGODlhAQABAAAAACw='
const HARD = 'Say "ok"\n\t\\ ü 😀 你好 \u2028 ${{ HOME }} {{prompt}}'

/** The minimal request of every service, without optional settings. */
const LEAST: Record<ProviderName, { path: RegExp; header: string; body: (text: string) => object }> = {
  openai: {
    path: /^\/responses$/,
    header: 'authorization',
    body: text => ({ model: 'gpt-4.1', input: [{ role: 'user', content: [{ type: 'input_text', text }] }] }),
  },
  azure: {
    path: /^\/openai\/(v1\/)?responses(\?api-version=\w+)?$/,
    header: 'api-key',
    body: text => ({ model: 'my-deployment', input: [{ role: 'user', content: [{ type: 'input_text', text }] }] }),
  },
  openai_compatible: {
    path: /^\/chat\/completions$/,
    header: 'authorization',
    body: text => ({ model: 'llama3', messages: [{ role: 'user', content: text }] }),
  },
  anthropic: {
    path: /^\/messages$/,
    header: 'x-api-key',
    body: text => ({
      model: 'claude-sonnet-4-5',
      max_tokens: expect.any(Number),
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
    }),
  },
  google: {
    path: /^\/models\/gemini-2\.5-flash:generateContent$/,
    header: 'x-goog-api-key',
    body: text => ({ generationConfig: {}, contents: [{ role: 'user', parts: [{ text }] }] }),
  },
}

const called = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})

const CONVERSATION = [
  {
    role: 'user',
    content: [
      { type: 'text', value: HARD },
      { type: 'image', value: `data:image/png;base64,${PNG}` },
      { type: 'image', value: `${GIF.slice(0, 10)}\n${GIF.slice(10)}` },
      { type: 'image', value: 'images/dot.PNG' },
      { type: 'file', value: 'notes/a "b" ü.md' },
      { type: 'file', value: 'sound.bin' },
      { type: 'json', value: { list: [1, 'ü'], none: null } },
    ],
  },
  {
    role: 'assistant',
    content: 'Let me see.',
    tool_calls: [called('c1', 'find', '{"q": "ü"}'), called('c2', 'now', '{}')],
  },
  { role: 'tool', tool_call_id: 'c2', content: 'noon' },
  { role: 'tool', tool_call_id: 'c1', name: 'find', content: [{ type: 'json', value: { hits: 2 } }] },
  { role: 'assistant', content: 'Two.' },
  { role: 'user', content: 'And then?' },
]
const FILES = {
  'notes/a "b" ü.md': '\ufeffÜnïcode\n',
  'sound.bin': Buffer.from([0xff, 0xfe, 0x00, 0x81]),
  'images/dot.PNG': Buffer.from(PNG, 'base64'),
}
const JSON_TEXT = '{\n  "list": [\n    1,\n    "ü"\n  ],\n  "none": null\n}'
const HITS = '{\n  "hits": 2\n}'

/** The texts and images of the first message in the format of each service. */
function userParts<Part>(folder: string, text: (text: string) => Part, image: (type: string, data: string) => Part) {
  return [
    text(HARD),
    image('image/png', PNG),
    image('image/gif', GIF),
    image('image/png', PNG),
    text(`<file path="${folder}/notes/a "b" ü.md">\nÜnïcode\n\n</file>`),
    text(`<file path="${folder}/sound.bin" />`),
    text(JSON_TEXT),
  ]
}

const asResponses = (folder: string) => ({
  input: [
    {
      role: 'user',
      content: userParts<object>(
        folder,
        text => ({ type: 'input_text', text }),
        (type, data) => ({ type: 'input_image', image_url: `data:${type};base64,${data}` }),
      ),
    },
    { role: 'assistant', content: [{ type: 'output_text', text: 'Let me see.' }] },
    { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{"q":"ü"}' },
    { type: 'function_call', call_id: 'c2', name: 'now', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c2', output: 'noon' },
    { type: 'function_call_output', call_id: 'c1', output: HITS },
    { role: 'assistant', content: [{ type: 'output_text', text: 'Two.' }] },
    { role: 'user', content: [{ type: 'input_text', text: 'And then?' }] },
  ],
})

const WHOLE: Record<ProviderName, (folder: string) => object> = {
  openai: asResponses,
  azure: asResponses,
  openai_compatible: folder => ({
    messages: [
      {
        role: 'user',
        content: userParts<object>(
          folder,
          text => ({ type: 'text', text }),
          (type, data) => ({ type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }),
        ),
      },
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [called('c1', 'find', '{"q":"ü"}'), called('c2', 'now', '{}')],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'noon' },
      { role: 'tool', tool_call_id: 'c1', content: HITS },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'And then?' },
    ],
  }),
  anthropic: folder => ({
    messages: [
      {
        role: 'user',
        content: userParts<object>(
          folder,
          text => ({ type: 'text', text }),
          (media_type, data) => ({ type: 'image', source: { type: 'base64', media_type, data } }),
        ),
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'c1', name: 'find', input: { q: 'ü' } },
          { type: 'tool_use', id: 'c2', name: 'now', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c2', content: 'noon' },
          { type: 'tool_result', tool_use_id: 'c1', content: HITS },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
      { role: 'user', content: [{ type: 'text', text: 'And then?' }] },
    ],
  }),
  google: folder => ({
    contents: [
      {
        role: 'user',
        parts: userParts<object>(
          folder,
          text => ({ text }),
          (mimeType, data) => ({ inlineData: { mimeType, data } }),
        ),
      },
      {
        role: 'model',
        parts: [
          { text: 'Let me see.' },
          { functionCall: { id: 'c1', name: 'find', args: { q: 'ü' } } },
          { functionCall: { id: 'c2', name: 'now', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c2', name: 'now', response: { name: 'now', content: 'noon' } } },
          { functionResponse: { id: 'c1', name: 'find', response: { name: 'find', content: HITS } } },
        ],
      },
      { role: 'model', parts: [{ text: 'Two.' }] },
      { role: 'user', parts: [{ text: 'And then?' }] },
    ],
  }),
}

/** The system messages and the first user text of a request, in order if the protocol has one. */
const SYSTEM: Record<ProviderName, (body: RequestBody) => unknown> = {
  openai: ({ input }) =>
    input.filter(({ role }: RequestBody) => role === 'system').map(({ content }: RequestBody) => content),
  azure: body => SYSTEM.openai(body),
  openai_compatible: ({ messages }) => SYSTEM.openai({ input: messages }),
  anthropic: ({ system }) => system?.map(({ text }: RequestBody) => text) ?? [],
  google: ({ systemInstruction }) => systemInstruction?.parts.map(({ text }: RequestBody) => text) ?? [],
}

/** Settings with the names of each service. */
const SETTINGS: Record<ProviderName, { options: object; sent: object }> = {
  openai: { options: { user: 'me' }, sent: { temperature: 0, max_output_tokens: 77, user: 'me' } },
  azure: { options: { user: 'me' }, sent: { temperature: 0, max_output_tokens: 77, user: 'me' } },
  openai_compatible: { options: { top_k: 5 }, sent: { temperature: 0, max_tokens: 77, top_k: 5 } },
  anthropic: {
    options: { metadata: { userId: 'me' } },
    sent: { temperature: 0, max_tokens: 77, metadata: { user_id: 'me' } },
  },
  google: {
    options: { thinkingConfig: { thinkingBudget: 5 } },
    sent: { generationConfig: { temperature: 0, maxOutputTokens: 77, thinkingConfig: { thinkingBudget: 5 } } },
  },
}

const systems = [
  { role: 'system', content: 'One' },
  { role: 'system', content: [{ type: 'text', value: 'Two' }] },
  { role: 'user', content: 'Hi' },
]

const cases = (provider: ProviderName): Record<string, Case> => ({
  [`${provider}-least`]: { provider, input: HARD },
  [`${provider}-conversation`]: { provider, input: CONVERSATION },
  [`${provider}-prompt`]: { provider, target: { system_prompt: 'Be kind.' } },
  [`${provider}-own-prompt`]: { provider, input: systems, target: { system_prompt: 'Be kind.' } },
  [`${provider}-settings`]: {
    provider,
    target: { temperature: 0, max_tokens: 77, headers: { 'X-Own': 'mine' }, options: SETTINGS[provider].options },
  },
})

describe.each(PROVIDERS)('%s receives', provider => {
  let modelRun: ModelRun
  beforeAll(async () => {
    modelRun = await ask(cases(provider), FILES)
  })

  it('the prompt and the key, and no setting that the target lacks', () => {
    const { path, headers, body } = modelRun.sent(`${provider}-least`)
    const { path: expected, header, body: bodyOf } = LEAST[provider]
    expect(path).toMatch(expected)
    expect(body).toEqual(bodyOf(HARD))
    expect(headers[header]).toBe(header === 'authorization' ? `Bearer ${KEY}` : KEY)
    expect(JSON.stringify([headers, body]).split(KEY)).toHaveLength(2)
    expect(modelRun.run).toMatchObject({ code: 0, stdout: '' })
  })

  it('a conversation with files, images, JSON, tool calls and their results, in order', () => {
    const { body } = modelRun.sent(`${provider}-conversation`)
    expect(body).toMatchObject(WHOLE[provider](modelRun.folder))
    expect(Object.keys(body).sort()).toEqual(Object.keys(LEAST[provider].body('')).sort())
  })

  it('the system prompt of the target first', () => {
    const { body } = modelRun.sent(`${provider}-prompt`)
    expect(SYSTEM[provider](body)).toEqual(['Be kind.'])
    expect((body.input ?? body.messages ?? [])[0]?.role).toBe(
      { anthropic: 'user', google: undefined, openai: 'system', azure: 'system', openai_compatible: 'system' }[
        provider
      ],
    )
  })

  it('all system messages of the test instead of that of the target', () => {
    expect(SYSTEM[provider](modelRun.sent(`${provider}-own-prompt`).body)).toEqual(['One', 'Two'])
  })

  it('settings, options and headers if they are set', () => {
    const { headers, body } = modelRun.sent(`${provider}-settings`)
    expect(body).toEqual({ ...LEAST[provider].body('Hi'), ...SETTINGS[provider].sent })
    expect(headers['x-own']).toBe('mine')
  })
})
