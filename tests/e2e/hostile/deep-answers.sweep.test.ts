import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEEPEST_ANSWER } from '../../../src/model/answer-limits.ts'
import { REPLAY_AGENT } from '../../support/agents.ts'
import { evalFolder } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { resultsIn } from '../../support/suite-run.ts'

const list = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const DEEP = list(6000)
const transcript = (input: string) =>
  `{"text": "ok", "output_messages": [{"role": "assistant", "tool_calls": [{"tool": "Read", "input": ${input}}]}]}`

const PRINTED = { provider: 'cli', command: ['cat', 'printed.txt'] }

/** Runs a test on a target between two tests that must not be affected. */
async function evalDeep(target: object, files: Record<string, string> = {}) {
  const tests = ['before', 'deep', 'after'].map(id => ({
    id,
    input: 'Hi',
    execution: { target: id === 'deep' ? 'deep' : 'well' },
  }))
  const targets = [
    { name: 'well', provider: 'mock', response: 'ok' },
    { name: 'deep', retries: 0, ...target },
  ]
  const cwd = evalFolder(tests, targets, files)
  const ended = await assay(['eval'], { cwd })
  const results = new Map(resultsIn(cwd).map(result => [result.test_id, result]))
  expect(ended.stderr).not.toContain('Cannot write the records')
  expect(results.get('before')?.verdict).toBe('pass')
  expect(results.get('after')?.verdict).toBe('pass')
  return { ...ended, cwd, result: results.get('deep') }
}

let server: Server
let body = ''

beforeAll(async () => {
  server = await serve((_, response) => response.setHeader('content-type', 'application/json').end(body))
})

afterAll(() => server.close())

describe('an answer that is nested too deeply is an error of its attempt', () => {
  it.each<[what: string, printed: string, message: string]>([
    ['input of a tool call', transcript(DEEP), 'output_messages[0].tool_calls[0].input'],
    ['output of a tool call', `{"text": "", "tool_calls": [{"tool": "Read", "output": {"a": ${DEEP}}}]}`, 'output'],
    ['content', `{"output_messages": [{"role": "assistant", "content": ${DEEP}}]}`, 'output_messages[0].content'],
    ['text', `{"text": ${DEEP}}`, '`text`'],
    ['output', `{"output": {"a": ${DEEP}}}`, '`output`'],
    ['error', `{"error": ${DEEP}}`, '`error`'],
    ['a value of an unknown key, with an error', `{"text": "ok", "mood": 1, "error": ${DEEP}}`, '`error`'],
    ['one level too many', transcript(list(DEEPEST_ANSWER + 1)), `more than ${DEEPEST_ANSWER} levels deep`],
  ])('printed by a program: %s', async (_, printed, message) => {
    const { code, result } = await evalDeep(PRINTED, { 'printed.txt': printed })
    expect(result?.error).toMatchObject({ code: 'bad-response', stage: 'answer' })
    expect(result?.error?.message).toContain(message)
    expect(result?.error?.message).toContain(`nested more than ${DEEPEST_ANSWER} levels deep`)
    expect(code).toBe(3)
  })

  it.each<[what: string, target: object, body: string]>([
    ['an envelope', {}, transcript(DEEP)],
    ['a part of the response', { response: { text: 'a.b' } }, `{"a": {"b": ${DEEP}}}`],
  ])('of a server: %s', async (_, target, sent) => {
    body = sent
    const { code, result } = await evalDeep({ provider: 'http', url: server.url, ...target })
    expect(result?.error?.message).toContain(`nested more than ${DEEPEST_ANSWER} levels deep`)
    expect(code).toBe(3)
  })

  it('of a server without the response path: the message shows the beginning', async () => {
    body = `{"a": ${DEEP}}`
    const { code, result } = await evalDeep({ provider: 'http', url: server.url, response: { text: 'b' } })
    expect(result?.error?.message).toContain('the response has no value at `b` (`response.text`): `{"a": [[')
    expect(code).toBe(3)
  })

  it('of a model', async () => {
    body = `{"choices": [{"message": {"role": "assistant", "content": "ok", "more": ${DEEP}}}]}`
    const target = { provider: 'openai_compatible', model: 'm', base_url: server.url, api_key: 'k' }
    const { code, result } = await evalDeep(target)
    expect(result?.error?.message).toContain(`nested more than ${DEEPEST_ANSWER} levels deep`)
    expect(code).toBe(3)
  })

  it.each<[what: string, events: string]>([
    [
      'input of a tool call',
      `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Read","input":${DEEP}}]}}
       {"type":"result","subtype":"success","result":"ok"}`,
    ],
    ['structured output', `{"type":"result","subtype":"success","result":"ok","structured_output":${DEEP}}`],
    ['an event', `{"type":"other","more":${DEEP}}\n{"type":"result","subtype":"success","result":"ok"}`],
  ])('of a coding agent: %s', async (_, events) => {
    const REPLAY_STREAM = join(folderWith({ 'stream.jsonl': `${events}\n` }), 'stream.jsonl')
    const { code, result } = await evalDeep({ provider: 'claude_cli', command: REPLAY_AGENT, env: { REPLAY_STREAM } })
    expect(code).toBe(3)
    expect(result?.error?.message).toContain(`nested more than ${DEEPEST_ANSWER} levels deep`)
  })

  it('of a provider module, also if it contains itself', async () => {
    const module = (
      made: string,
    ) => `import * as z from ${JSON.stringify(join(import.meta.dirname, '../../../node_modules/zod/index.js'))}
      export default {
        config: z.object({}),
        answer: async () => {
          let value = []
          ${made}
          return { text: 'ok', output_messages: [{ role: 'assistant', content: value }] }
        },
      }`
    for (const made of ['for (let i = 0; i < 6000; i++) value = [value]', 'value.push(value)']) {
      const { code, result } = await evalDeep({ provider: './own.mjs' }, { 'own.mjs': module(made) })
      expect(result?.error).toMatchObject({ code: 'bad-response' })
      expect(result?.error?.message).toContain(`nested more than ${DEEPEST_ANSWER} levels deep`)
      expect(code).toBe(3)
    }
  })
})

it('keeps an answer of the maximum depth in records, reports, grades and replays', async () => {
  const { cwd, code, result } = await evalDeep(PRINTED, { 'printed.txt': transcript(list(DEEPEST_ANSWER)) })
  expect(code).toBe(0)
  expect(JSON.stringify(result?.output_messages?.[0]?.tool_calls?.[0]?.input)).toBe(list(DEEPEST_ANSWER))
  for (const format of ['html', 'json', 'markdown', 'junit', 'csv'])
    expect(await assay(['report', 'latest', '--format', format, '-o', `out.${format}`], { cwd })).toMatchObject({
      code: 0,
    })
  expect(await assay(['grade', 'latest'], { cwd })).toMatchObject({ code: 0 })
  expect(await assay(['log', 'import', 'latest'], { cwd })).toMatchObject({ code: 0 })
})

it('prints a large value without indentation if the indented JSON would exceed the answer limit', async () => {
  const wide = `${'['.repeat(150)}${'0,'.repeat(1_000_000)}0${']'.repeat(150)}`
  const { code, result } = await evalDeep(PRINTED, { 'printed.txt': `{"text": ${wide}}` })
  expect(result?.answer).toBe(wide)
  expect(code).toBe(1)
})
