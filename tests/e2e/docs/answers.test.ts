import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { evalFolder } from '../../support/evaluation.ts'
import { itWithPlainPython } from '../../support/external/python.ts'
import { assay } from '../../support/in-process.ts'
import { readProgramOutput } from '../../support/program-output.ts'
import { resultsIn } from '../../support/suite-run.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/guide/answers.md'), 'utf8')

/** The first fenced block of the page in a language. */
function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(PAGE)?.[1] ?? ''
}

async function answerSchema() {
  const { stdout } = await assay(['schema', 'answer'], { cwd: '/' })
  return new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(stdout))
}

/** The result of a program that prints an answer. */
async function resultOf(printed: string) {
  const target = { name: 'default', provider: 'cli', command: ['cat', 'printed.json'] }
  const cwd = evalFolder([{ id: 'a', input: 'Hi' }], [target], { 'printed.json': printed })
  await assay(['eval'], { cwd })
  return resultsIn(cwd)[0]
}

describe('the JSON Schema of answers', () => {
  const call = (fields: object) => ({ text: 'Hi', tool_calls: [fields] })
  const inMessage = (fields: object) => ({ output_messages: [{ role: 'assistant', tool_calls: [fields] }] })
  const answer = { output_messages: [{ role: 'assistant', content: 'Hi' }] }

  it.each<object>([
    { tool: 'f' },
    { tool: 'f', input: null },
    { tool: 'f', function: null, args: 1 },
    { tool: null, function: { name: 'f', arguments: '{}' } },
    { tool: 'f', function: { name: 'f' }, input: 1 },
  ])('accepts the call %j, as the program does', async fields => {
    const validate = await answerSchema()
    for (const written of [call(fields), inMessage(fields)]) {
      expect(validate(written)).toBe(true)
      expect(readProgramOutput(JSON.stringify(written)).answer).toBeDefined()
    }
  })

  it.each<object>([
    {},
    { input: 1 },
    { tool: '' },
    { tool: null },
    { tool: 'f', input: 1, args: 1 },
    { tool: 'f', input: null, args: null },
    { function: { name: 'f', arguments: '{}' }, args: 1 },
    { function: { name: 'f', arguments: '{}' }, input: 1 },
  ])('rejects the call %j, as the program does', async fields => {
    const validate = await answerSchema()
    for (const written of [call(fields), inMessage(fields)]) {
      expect(validate(written)).toBe(false)
      expect(readProgramOutput(JSON.stringify(written)).code).toBe('bad-response')
    }
  })

  it.each<object>([{ text: '' }, { output: 0 }, answer, { tool_calls: [] }, { ...answer, tool_calls: [] }])(
    'accepts %j, as the program does',
    async written => {
      expect((await answerSchema())(written)).toBe(true)
      expect(readProgramOutput(JSON.stringify(written)).answer).toBeDefined()
    },
  )

  it.each<object>([
    {},
    { model: 'm' },
    { text: null, model: 'm' },
    { ...answer, tool_calls: [{ tool: 'f' }] },
    { output: answer.output_messages, tool_calls: [{ tool: 'f' }] },
    { output_messages: [{ role: 'assitant', content: 'x' }] },
  ])('rejects %j, as the program does', async written => {
    expect((await answerSchema())(written)).toBe(false)
    expect(readProgramOutput(JSON.stringify(written), { output_format: 'json' }).code).toBe('bad-response')
  })

  it('accepts an error in place of an answer', async () => {
    expect((await answerSchema())({ error: 'boom' })).toBe(true)
  })
})

describe('the guide to answers', () => {
  it('shows a valid answer, of which every field is read', async () => {
    const validate = await answerSchema()
    expect(validate(JSON.parse(block('json')))).toBe(true)
    expect(await resultOf(block('json'))).toMatchObject({
      answer: 'The order ships on Monday.',
      token_usage: { input: 812, output: 15 },
      cost_usd: 0.0021,
      model: 'my-model',
      output_messages: [
        { tool_calls: [{ tool: 'get_order', input: { id: 17 }, output: { ships: 'Monday' }, duration_ms: 120 }] },
        { content: 'The order ships on Monday.' },
      ],
    })
  })

  it('shows the message for a misspelled key', async () => {
    const answer = {
      output_messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [{ tool: 'get_order', argz: {} }] },
      ],
    }
    const message = (await resultOf(JSON.stringify(answer)))?.error?.message ?? ''
    expect(message).not.toBe('')
    expect(message.startsWith(block('text').replace('…', ''))).toBe(true)
    expect((await answerSchema())(answer)).toBe(false)
  })

  itWithPlainPython('has an agent in Python that reports its tool calls', async () => {
    const target = { name: 'default', provider: 'cli', command: ['python3', 'agent.py'] }
    const check = { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'get_order', args: { id: 17 } }] }
    const cwd = evalFolder([{ id: 'a', input: 'Hi', assert: [check] }], [target], { 'agent.py': block('python') })
    expect(await assay(['eval'], { cwd })).toMatchObject({ code: 0 })
    expect(resultsIn(cwd)).toMatchObject([{ verdict: 'pass', answer: 'The order ships on Monday.', model: 'my-model' }])
  })
})
