import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { judgedBy } from '../../support/judges/scripted-judge.ts'
import { folderWith } from '../../support/program.ts'
import { errorsOf, evaluated, load, promptsOf, suiteOf, TEST, valid, validTest } from './seed-suites.ts'

/** The statements of "Test Schema": fields, input, messages and content blocks. */
describe('schema', () => {
  it('id is required', async () => {
    expect(await errorsOf({ id: undefined })).toEqual(['missing-key'])
  })

  it('criteria are required if nothing else grades the test', async () => {
    expect(await errorsOf({ criteria: undefined, assert: undefined })).toEqual(['nothing-grades'])
  })

  it('missing criteria are a warning if something else grades the test', async () => {
    // Decided: samples of the source texts have tests without criteria.
    expect((await load(suiteOf({ criteria: undefined }))).warnings).toEqual(['no-criteria'])
  })

  it('input is required', async () => {
    expect(await errorsOf({ input: undefined })).toEqual(['missing-key'])
  })

  it('everything else is optional', async () => {
    expect(await validTest({ assert: undefined })).toMatchObject({ id: 'one', checks: [{ name: 'criteria' }] })
  })

  it('rubrics may mix strings and objects', async () => {
    const rubrics = ['Greets', { id: 'name', outcome: 'Says the name' }]
    expect(await validTest({ rubrics, assert: undefined })).toMatchObject({ checks: [{ name: 'rubrics' }] })
  })

  it('assert accepts deterministic checks and model judges', async () => {
    const { checks } = await validTest({ assert: [{ type: 'contains', value: 'ok' }, { type: 'llm_judge' }] })
    expect(checks.map(({ type }) => type)).toEqual(['contains', 'llm_judge'])
  })

  it('metadata keep custom pairs of keys and values', async () => {
    const metadata = { ticket: 'X-1', nested: { a: [1, null] } }
    expect((await validTest({ metadata })).metadata).toEqual(metadata)
  })
})

describe('id', () => {
  it('is unique within the file', async () => {
    const { errors, diagnostics } = await load({ name: 'suite', tests: [TEST, { ...TEST, id: 'two' }, TEST] })
    expect([errors, diagnostics[0]?.message]).toEqual([['duplicate-id'], expect.stringContaining('one')])
  })

  it('is a string', async () => {
    expect(await errorsOf({ id: ['a'] })).toEqual(['wrong-type'])
  })

  it('may contain hyphens, and stays unchanged', async () => {
    const ids = ['greeting-response', 'error-handling', 'edge-case-empty-input']
    const { tests } = await valid({ name: 'suite', tests: ids.map(id => ({ ...TEST, id })) })
    expect(tests.map(({ id }) => id)).toEqual(ids)
  })
})

describe('criteria', () => {
  const TEXT = 'Agent identifies the bug in the loop\ncondition and provides a fix.\n'

  it('is a string', async () => {
    expect(await errorsOf({ criteria: ['a'] })).toEqual(['wrong-type'])
  })

  it('keeps its lines', async () => {
    const yaml = `name: x\ntests:\n- id: a\n  input: b\n  criteria: |\n    ${TEXT.trim().replace('\n', '\n    ')}\n`
    expect((await valid(yaml)).tests[0]?.criteria).toBe(TEXT)
  })

  it('is passed to model judges', async () => {
    const { asked } = await judgedBy(['{type: llm_judge}'], ['{"score":1,"hits":[],"misses":[],"reasoning":""}'])
    expect(asked[0]?.join()).toContain('It is good')
  })

  it('documents the test in records', async () => {
    const { results } = await evaluated(suiteOf({ criteria: 'Says ok, kindly' }))
    expect(results).toMatchObject([{ criteria: 'Says ok, kindly' }])
  })
})

const user = (content: unknown) => ({ role: 'user', content })
const blocks = (...list: object[]) => [user(list)]

describe('input', () => {
  it('as a string is one message of the user', async () => {
    expect((await validTest({ input: 'Hello, my name is Alice!' })).input).toEqual([
      { role: 'user', content: [{ type: 'text', value: 'Hello, my name is Alice!' }] },
    ])
  })

  it('as messages has several turns', async () => {
    const input = [{ role: 'system', content: 'You are a helpful assistant.' }, user('Hello, my name is Alice!')]
    const [prompt] = await promptsOf(suiteOf({ input }))
    expect(prompt?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('with file references is sent to the agent with texts and files in order', async () => {
    const input = blocks({ type: 'text', value: 'Review this code:' }, { type: 'file', value: './fixtures/buggy.js' })
    const [prompt] = await promptsOf(suiteOf({ input }), { 'fixtures/buggy.js': 'let x = 1' })
    expect(prompt?.messages[0]?.content).toMatchObject([
      { type: 'text', value: 'Review this code:' },
      { type: 'file', path: expect.stringMatching(/fixtures\/buggy\.js$/) },
    ])
  })

  it('with a missing file is rejected', async () => {
    expect(await errorsOf({ input: blocks({ type: 'file', value: './missing.js' }) })).toEqual(['file-missing'])
  })

  it('is a string or messages', async () => {
    expect(await errorsOf({ input: 7 })).toEqual(['wrong-type'])
  })
})

const CALL = { id: 'call_1', type: 'function', function: { name: 'greet', arguments: '{"name": "Alice"}' } }
const calling = (call: unknown) => [user('Hi'), { role: 'assistant', tool_calls: [call] }, user('And?')]

describe('message schema', () => {
  it('has the roles system, user, assistant and tool', async () => {
    const input = [
      { role: 'system', content: 'Be kind' },
      user('Hi'),
      { role: 'assistant', tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', name: 'greet', content: 'Hello' },
    ]
    expect((await validTest({ input })).input.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  })

  it('has no other role', async () => {
    expect(await errorsOf({ input: [{ role: 'developer', content: 'Hi' }] })).toEqual(['bad-choice'])
  })

  it('has a role', async () => {
    expect(await errorsOf({ input: [{ content: 'Hi' }] })).toEqual(['missing-key'])
  })

  it('has a string as content, or blocks', async () => {
    const text = { type: 'text', value: 'Hi' }
    const [one, other] = [await validTest({ input: [user('Hi')] }), await validTest({ input: blocks(text) })]
    expect(one.input).toEqual(other.input)
  })

  it('of a tool names the call that it answers', async () => {
    expect(await errorsOf({ input: [user('Hi'), { role: 'tool', content: 'x' }] })).toEqual(['missing-key'])
  })

  it('of a tool may name the tool', async () => {
    const input = [...calling(CALL), { role: 'tool', tool_call_id: 'call_1', name: 'greet', content: 'Hello' }]
    expect((await validTest({ input })).input.at(-1)).toMatchObject({ tool_call_id: 'call_1', name: 'greet' })
  })

  it('of the assistant may call tools, each with id, type, name and arguments', async () => {
    expect((await validTest({ input: calling(CALL) })).input[1]).toMatchObject({ tool_calls: [CALL] })
  })

  it.each(['id', 'type', 'function'] as const)('has %s in every tool call', async key => {
    expect(await errorsOf({ input: calling({ ...CALL, [key]: undefined }) })).toHaveLength(1)
  })

  it('has only tool calls of the type function', async () => {
    expect(await errorsOf({ input: calling({ ...CALL, type: 'tool' }) })).toEqual(['bad-choice'])
  })

  it('has the arguments of a call as a string of JSON', async () => {
    const withArguments = (given: unknown) => calling({ ...CALL, function: { name: 'greet', arguments: given } })
    expect(await errorsOf({ input: withArguments('{name: Alice}') })).toEqual(['bad-arguments'])
    expect(await errorsOf({ input: withArguments({ name: 'Alice' }) })).toHaveLength(1)
  })
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('content block schema', () => {
  it('text has a string', async () => {
    expect((await validTest({ input: blocks({ type: 'text', value: 'Hi' }) })).input[0]?.content).toEqual([
      { type: 'text', value: 'Hi' },
    ])
  })

  it('file has a relative path', async () => {
    const { suite, folder } = await load(suiteOf({ input: blocks({ type: 'file', value: 'a/b.txt' }) }), {
      'a/b.txt': '',
    })
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'a/b.txt') }])
  })

  it('file has an absolute path', async () => {
    const { suite, folder } = await load(suiteOf({ input: blocks({ type: 'file', value: '/b.txt' }) }), {
      'b.txt': '',
      '.git/HEAD': '',
    })
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'b.txt') }])
  })

  it('image has a path', async () => {
    const files = { 'dot.png': Buffer.from(PNG, 'base64') }
    const { suite, folder } = await load(suiteOf({ input: blocks({ type: 'image', value: './dot.png' }) }), files)
    expect(suite?.tests[0]?.input[0]?.content).toMatchObject([{ path: join(folder, 'dot.png') }])
  })

  it('image has base64', async () => {
    const { input } = await validTest({ input: blocks({ type: 'image', value: PNG }) })
    expect(input[0]?.content).toMatchObject([{ type: 'image', value: PNG }])
    expect(input[0]?.content?.[0]).not.toHaveProperty('path')
  })

  it('json has an object', async () => {
    const value = { a: [1, null, 'ü'] }
    expect((await validTest({ input: blocks({ type: 'json', value }) })).input[0]?.content).toEqual([
      { type: 'json', value },
    ])
  })

  it('has no other type', async () => {
    expect(await errorsOf({ input: blocks({ type: 'audio', value: 'x' }) })).toEqual(['bad-choice'])
  })
})

describe('description', () => {
  it('is kept with its lines', async () => {
    const description = 'Tests handling of null.\nHandled gracefully.\n'
    expect(await validTest({ description })).toMatchObject({ description })
  })

  it('documents the test for people', async () => {
    const cwd = folderWith({ 'EVAL.yaml': JSON.stringify(suiteOf({ description: 'Nulls are handled' })) })
    expect((await assay(['list', '--json'], { cwd })).stdout).toContain('Nulls are handled')
  })
})
