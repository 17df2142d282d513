import { beforeAll, describe, expect, it } from 'vitest'
import { ask, type Case, type ModelRun, PROVIDERS, type ProviderName } from '../../../support/servers/model-servers.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SVG = "<svg xmlns='http://www.w3.org/2000/svg'/>"

const user = (...content: object[]) => [{ role: 'user', content }]
const image = (value: string) => ({ type: 'image', value })
const find = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }

/** Prompts that are unusual, or that a model does not support. */
const PROMPTS: Record<string, unknown> = {
  'upper-case': user(image(`DATA:image/png;charset=utf-8;BASE64,${PNG}`)),
  'no-type': user(image(`data:;base64,${PNG}`)),
  'other-ending': user(image('picture.jpg')),
  'url-encoded': user(image(`data:image/svg+xml,${encodeURIComponent(SVG)}`)),
  'escaped-base64': user(image(`data:image/png;base64,${encodeURIComponent(PNG)}`)),
  'no-base64': user(image('data:image/png;base64,@@@@')),
  'image-of-the-assistant': [
    ...user({ type: 'text', value: 'Draw' }),
    { role: 'assistant', content: [image(`data:image/png;base64,${PNG}`)] },
    ...user({ type: 'text', value: 'Go' }),
  ],
  'image-of-a-tool': [
    ...user({ type: 'text', value: 'Draw' }),
    { role: 'assistant', tool_calls: [find] },
    { role: 'tool', tool_call_id: 'c1', content: [image(`data:image/png;base64,${PNG}`)] },
  ],
  'no-result': [
    ...user({ type: 'text', value: 'Find' }),
    { role: 'assistant', tool_calls: [find] },
    ...user({ type: 'text', value: 'Go' }),
  ],
  'lists-as-arguments': [
    ...user({ type: 'text', value: 'Find' }),
    { role: 'assistant', tool_calls: [{ ...find, function: { name: 'find', arguments: '[1, null]' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
  ],
  'only-a-system-message': [{ role: 'system', content: 'Say something' }],
  'assistant-last': [...user({ type: 'text', value: 'Count' }), { role: 'assistant', content: 'One, two,' }],
  'no-text': [...user({ type: 'text', value: '' })],
  'lone-surrogate': [...user({ type: 'text', value: 'half \ud83d of it' })],
}

/** Matches the image of a request: its media type and its bytes as text. */
const IMAGE = /data:([^;"]+);base64,([^"]+)|"(?:media_type|mimeType)":"([^"]+)","data":"([^"]+)"/

let modelRun: ModelRun
beforeAll(async () => {
  const cases = PROVIDERS.flatMap(provider =>
    Object.entries(PROMPTS).map(([id, input]): [string, Case] => [`${provider}-${id}`, { provider, input }]),
  )
  modelRun = await ask(Object.fromEntries(cases), { 'picture.jpg': Buffer.from(PNG, 'base64') })
})

/** The image that was sent; undefined without a request. */
function sentImage(id: string): [type: string | undefined, data: string | undefined] | undefined {
  const [call] = modelRun.calls(id)
  if (!call) return undefined
  const [, type, data, otherType, otherData] = IMAGE.exec(call.body) ?? []
  return [type ?? otherType, data ?? otherData]
}

/** A property of the attempt of each provider at a prompt. */
const each = <Value>(id: string, look: (id: string) => Value): Record<string, Value> =>
  Object.fromEntries(PROVIDERS.map(provider => [provider, look(`${provider}-${id}`)]))
const all = <Value>(value: Value) => Object.fromEntries(PROVIDERS.map(provider => [provider, value]))

/** The error code of a prompt, or its image. */
const errorOrImage = (id: string) => modelRun.record(id)?.error?.code ?? sentImage(id)

describe('an image', () => {
  it.each(['upper-case', 'no-type', 'other-ending'])('with %s is sent with its media type', id => {
    expect(each(id, errorOrImage)).toEqual(all(['image/png', PNG]))
  })

  it.each([
    ['url-encoded', 'image/svg+xml', Buffer.from(SVG).toString('base64')],
    ['escaped-base64', 'image/png', PNG],
  ])('that is %s is sent correctly, or is an error of the prompt', (id, type, data) => {
    for (const became of Object.values(each(id, errorOrImage)))
      expect([[type, data], 'bad-prompt']).toContainEqual(became)
  })

  it('that is not base64 is an error of the prompt', () => {
    expect(each('no-base64', errorOrImage)).toEqual(all('bad-prompt'))
    expect(each('no-base64', id => modelRun.calls(id).length)).toEqual(all(0))
  })

  it.each(['image-of-the-assistant', 'image-of-a-tool'])('(%s) is not dropped silently', id => {
    for (const became of Object.values(each(id, errorOrImage))) {
      expect([['image/png', PNG], 'bad-prompt']).toContainEqual(became)
    }
  })
})

describe('a prompt', () => {
  it('with a tool call without a result is an error of the prompt, not of the reply', () => {
    expect(each('no-result', id => modelRun.calls(id).length)).toEqual(all(0))
    expect(each('no-result', id => modelRun.record(id)?.error)).toEqual(
      all({ code: 'bad-prompt', stage: 'answer', message: expect.stringContaining('c1'), never_reached: true }),
    )
  })

  it.each(['lists-as-arguments', 'assistant-last', 'lone-surrogate'])('that is unusual (%s) is sent unchanged', id => {
    expect(each(id, id => modelRun.record(id)?.verdict)).toEqual(all('pass'))
    expect(each(id, id => modelRun.calls(id).length)).toEqual(all(1))
  })

  it.each(['only-a-system-message', 'no-text'])('with little text (%s) is sent, or is an error', id => {
    for (const became of Object.values(
      each(id, id => modelRun.record(id)?.error?.code ?? modelRun.record(id)?.verdict),
    )) {
      expect(['pass', 'bad-prompt']).toContain(became)
    }
  })
})

describe('a system message after others', () => {
  const input = [
    { role: 'system', content: 'First' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Yes' },
    { role: 'system', content: 'Late' },
    { role: 'user', content: 'Go' },
  ]
  let late: ModelRun
  beforeAll(async () => {
    late = await ask(
      Object.fromEntries(PROVIDERS.map((provider): [ProviderName, Case] => [provider, { provider, input }])),
    )
  })

  it.each(['openai', 'azure', 'openai_compatible'])('keeps its position for %s', provider => {
    const { input: items, messages = items } = late.sent(provider).body
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(input.map(({ role }) => role))
  })

  it('is an error of the prompt for google, which does not support it', () => {
    expect(late.calls('google')).toEqual([])
    expect(late.record('google')?.error).toMatchObject({ code: 'bad-prompt' })
  })

  it('is not lost for anthropic', () => {
    const { record, sent } = late
    expect(record('anthropic')?.error?.code ?? JSON.stringify(sent('anthropic').body)).toMatch(/^bad-prompt$|"Late"/)
  })
})

describe('options of the wrong kind', () => {
  it('are an error of the target that names them', async () => {
    const wrong: Record<ProviderName, object> = {
      openai: { user: 5 },
      azure: { user: 5 },
      openai_compatible: { user: 5 },
      anthropic: { thinking: 5 },
      google: { thinkingConfig: 5 },
    }
    const cases = PROVIDERS.map((provider): [string, Case] => [
      provider,
      { provider, target: { options: wrong[provider] } },
    ])
    const { record, calls } = await ask(Object.fromEntries(cases))
    expect(PROVIDERS.flatMap(calls)).toEqual([])
    const shown = PROVIDERS.map(name => `${record(name)?.error?.code}: ${record(name)?.error?.message}`)
    expect(shown).toEqual(
      PROVIDERS.map(name =>
        expect.stringMatching(new RegExp(`^target-error: .*${Object.keys(wrong[name]).join()}`, 's')),
      ),
    )
  })
})

describe('a setting that the SDK would drop or change', () => {
  const HOT = {
    openai: 'gpt-5',
    azure: undefined,
    openai_compatible: 'gpt-5',
    anthropic: 'claude-sonnet-4-5',
    google: 'gemini-2.5-pro',
  }

  it.each([
    ['temperature', { temperature: 1.5 }, /"temperature":1\.5/],
    [
      'an option in the spelling of the service',
      { options: { reasoning_effort: 'low' } },
      /"reasoning_?effort":"low"/i,
    ],
  ])('is sent, or causes a warning (%s)', async (_, setting, sent) => {
    const cases = PROVIDERS.map((provider): [string, Case] => {
      const { [provider]: model } = HOT
      return [provider, { provider, target: { ...(model ? { model } : {}), ...setting } }]
    })
    const { run, calls, record } = await ask(Object.fromEntries(cases))
    const isReported = (name: ProviderName) =>
      record(name)?.error !== undefined || new RegExp(`warning.*${name}`).test(run.stderr)
    expect(PROVIDERS.map(name => calls(name).length)).toEqual(PROVIDERS.map(() => 1))
    expect(PROVIDERS.filter(name => !isReported(name) && !sent.test(calls(name)[0]?.body ?? ''))).toEqual([])
  })
})
