import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalFolder, evaluate } from '../../../support/evaluation.ts'
import { INJECTIONS } from '../../../support/judges/injections.ts'
import {
  inTurn,
  type ModelReply,
  model,
  PROVIDERS,
  type ProviderName,
  say,
  targetOf,
} from '../../../support/servers/model-servers.ts'
import { type Behaviour, type Server, serve } from '../../../support/servers/server.ts'

type Run = Awaited<ReturnType<typeof evaluate>>

const GOOD = JSON.stringify({ score: 0.9, hits: ['kind'], misses: ['long'], reasoning: 'Quite good.' })
const ITEMS = JSON.stringify({ items: ['a', 'b'].map(id => ({ id, satisfied: true, reasoning: 'yes' })) })
const RUBRICS = {
  type: 'rubrics',
  rubrics: [
    { id: 'a', outcome: 'Is kind' },
    { id: 'b', outcome: 'Is short' },
  ],
}
const items = (...ids: string[]) =>
  JSON.stringify({ items: ids.map(id => ({ id, satisfied: true, reasoning: 'yes' })) })

/** Replies of each judge over the chat completions protocol; the last is repeated. */
const compatible = (...replies: (string | ModelReply)[]): Behaviour =>
  inTurn(...replies.map(each => model('openai_compatible', typeof each === 'string' ? { text: each } : each)))

interface Judge {
  readonly answer: Behaviour
  readonly check?: object
  readonly fields?: object
}

const JUDGES: Readonly<Record<string, Judge>> = {
  good: { answer: compatible(GOOD) },
  fenced: { answer: compatible(`\`\`\`json\n${GOOD}\n\`\`\``) },
  surrounded: { answer: compatible(`Let me think. ${GOOD} That is my verdict.`) },
  'cut-off': { answer: compatible({ text: GOOD, finish: 'length' }, GOOD) },
  broken: { answer: compatible('{"score": 0.9, "hits": [', GOOD) },
  'of-ten': { answer: compatible('{"score": "8/10"}', '{"score": 7}', GOOD) },
  garbage: { answer: compatible('no', 'still no', 'never') },
  omits: { answer: compatible(items('a'), ITEMS), check: RUBRICS },
  unknown: { answer: compatible(items('a', 'b', 'c'), ITEMS), check: RUBRICS },
  twice: { answer: compatible(items('a', 'b', 'b'), ITEMS), check: RUBRICS },
  'one-of-two': { answer: compatible(items('a')), check: RUBRICS },
  refuses: { answer: compatible({ text: '', finish: 'content-filter' }) },
  busy: { answer: inTurn(say(429, { error: { message: 'slow down' } }, { 'retry-after': '0' }), compatible(GOOD)) },
  overrun: { answer: say(429, { error: { message: 'slow down' } }, { 'retry-after': '0' }), fields: { retries: 1 } },
  down: { answer: say(503, 'no'), fields: { retries: 0 } },
  silent: { answer: () => {}, fields: { timeout_seconds: 1, retries: 0 } },
}

let server: Server
let run: Run
beforeAll(async () => {
  server = await serve((call, response) => {
    const name = call.path.split('/')[1] ?? ''
    const provider = PROVIDERS.find(each => name === `by-${each}`)
    return (provider ? model(provider, { text: GOOD }) : JUDGES[name]?.answer)?.(call, response)
  })
  const judge = (name: string, provider: ProviderName, fields: object = {}) => ({
    name,
    ...targetOf(provider, `${server.url}/${name}`),
    ...fields,
  })
  const targets = [
    {
      name: 'default',
      provider: 'mock',
      responses: INJECTIONS.map((response, n) => ({ pattern: `^${n}$`, response })),
    },
    { name: 'plain', provider: 'mock', response: 'Hello Alice!' },
    ...Object.entries(JUDGES).map(([name, { fields }]) => judge(name, 'openai_compatible', fields)),
    ...PROVIDERS.map(provider => judge(`by-${provider}`, provider)),
  ]
  const tests = [
    ...Object.entries(JUDGES).map(([id, { check = { type: 'llm_judge' } }]) => ({
      id,
      input: 'Greet Alice',
      execution: { target: 'plain' },
      assert: [{ ...check, target: id }],
    })),
    ...INJECTIONS.map((_, n) => ({
      id: `injected-${n}`,
      input: String(n),
      assert: PROVIDERS.map(provider => ({ type: 'llm_judge', name: provider, target: `by-${provider}` })),
    })),
  ]
  run = await evaluate(evalFolder(tests, targets))
})
afterAll(() => server.close())

const record = (id: string) => run.results.get(id) ?? expect.unreachable(run.stderr)
const callsTo = (name: string) => server.calls.filter(({ path }) => path.startsWith(`/${name}/`))
const judgeMessages = (name: string, nth: number): string[] =>
  JSON.parse(callsTo(name)[nth]?.body ?? '{}').messages.map(({ content }: { content: string }) => content)

describe('the reply of a model judge', () => {
  it.each(['good', 'fenced', 'surrounded'])('is accepted at once: %s', id => {
    expect(record(id)).toMatchObject({
      score: 0.9,
      hits: ['kind'],
      misses: ['long'],
      judge_usage: { calls: 1 },
      evaluator_results: [{ reasoning: 'Quite good.' }],
    })
    expect(callsTo(id)).toHaveLength(1)
  })

  it.each([
    ['cut-off', 2, 'it was cut off'],
    ['broken', 2, 'it is not JSON'],
    ['of-ten', 3, '`score`'],
    ['omits', 2, 'these items are missing: b'],
    ['unknown', 2, '`items[2]'],
    ['twice', 2, 'these items are there twice: b'],
  ])('is requested again with the problem if it is invalid: %s', (id, calls, problem) => {
    expect(record(id).error).toBeUndefined()
    expect(record(id).judge_usage?.calls).toBe(calls)
    const [, , reply, again] = judgeMessages(id, 1)
    expect(reply).not.toBe('')
    expect(again).toContain(`Your reply cannot be used: ${problem}`)
  })

  it('is an error if it is invalid three times, and the last one is recorded', () => {
    expect(record('garbage')).toMatchObject({
      verdict: 'error',
      score: null,
      error: { code: 'judge-reply', stage: 'grade' },
      evaluator_results: [{ score: null, details: { reply: 'never' } }],
      judge_usage: { calls: 3 },
    })
  })

  it('is never a grade if it covers one item of two', () => {
    expect(record('one-of-two')).toMatchObject({ verdict: 'error', score: null, error: { code: 'judge-reply' } })
    expect(callsTo('one-of-two')).toHaveLength(3)
  })

  it('is an error if the model refuses', () => {
    expect(record('refuses').error).toMatchObject({
      code: 'judge-no-answer',
      message: 'llm_judge: the judge gave no answer: the model returned no text (finish reason: content-filter)',
    })
  })

  it('is awaited if the judge is rate limited, up to the timeout', () => {
    expect(record('busy')).toMatchObject({ score: 0.9, judge_usage: { calls: 1 } })
    expect(callsTo('busy')).toHaveLength(2)
    expect(record('overrun').error?.message).toMatch(/429.*slow down.*\(asked 2 times\)/)
    expect(record('down').error?.message).toContain('503')
    expect(record('silent').error?.message).toContain('no answer within 1 s')
  })
})

/** All strings in a request of any protocol, including roles. */
function textsIn(value: unknown, into: string[] = []): string[] {
  if (typeof value === 'string') into.push(value)
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) textsIn(part, into)
  return into
}

describe.each(PROVIDERS)('a judge of %s', provider => {
  const bodies = () => callsTo(`by-${provider}`).map(({ body }) => JSON.parse(body))

  it('is asked for structured output if it is supported', () => {
    const [body] = bodies()
    const fields = ['score', 'hits', 'misses', 'reasoning']
    const schema = {
      openai: body.text?.format?.schema,
      azure: body.text?.format?.schema,
      openai_compatible: undefined,
      anthropic: body.output_config?.format?.schema ?? body.output_format?.schema ?? body.tools?.[0]?.input_schema,
      google: body.generationConfig?.responseSchema ?? body.generationConfig?.responseJsonSchema,
    }[provider]
    if (provider === 'openai_compatible') expect(body.response_format).toEqual({ type: 'json_object' })
    else expect(Object.keys(schema?.properties ?? {})).toEqual(fields)
  })

  it('receives prompt injections in answers only between data marks', () => {
    const wanted = new Set(INJECTIONS)
    for (const body of bodies()) {
      const texts = textsIn(body)
      const word = texts.map(text => /between `<<<(data-\w+)`/.exec(text)?.[1]).find(Boolean) ?? 'none'
      const user = texts.find(text => text.includes(`<<<${word}\n`) && text.includes('# Answer to be judged')) ?? ''
      const [before = '', inside = '', ...rest] = user.split(new RegExp(`<<<${word}\n|\n${word}>>>`))
      expect(wanted.delete(inside), inside).toBe(true)
      const outside = [before, ...rest, ...texts.filter(text => text !== user)].join('\n')
      expect(outside).not.toContain(inside)
    }
    expect(wanted.size).toBe(0)
  })
})
