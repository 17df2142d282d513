import { describe, expect, it } from 'vitest'
import type { EvalsFile } from '../../../src/spec/evals-json.ts'
import { CSV_EVALS } from '../../support/csv-suite.ts'
import { evalsIn, transpileSuite } from '../../support/transpile-suite.ts'
import { TEST } from './seed-suites.ts'

/** The statements of "EVAL.yaml to evals.json transpiler": both formats, the mappings of fields, files and sentences. */
const FILE = 'evals/files/sales.csv'
const CSV = { [FILE]: 'month,revenue\n', 'more.csv': '' }
const ASKED = 'I have a CSV of monthly sales data. Find the top 3 months by revenue.'
const TOP = 'The top 3 months by revenue are November ($22,500), September ($20,100), and December ($19,400).'
const trigger = (skill: string, should_trigger?: boolean) => ({
  type: 'trigger-judge',
  skill,
  ...(should_trigger === undefined ? {} : { should_trigger }),
})
const user = (...content: object[]) => [{ role: 'user', content }]

const SAMPLE = {
  tests: [
    {
      id: 'csv-top-months',
      criteria: 'Agent finds the top 3 months by revenue',
      input: user({ type: 'file', value: FILE }, { type: 'text', value: ASKED }),
      expected_output: TOP,
      assert: [
        trigger('csv-analyzer', true),
        { type: 'rubrics', criteria: 'Output identifies November as the highest revenue month' },
        { type: 'contains', value: '$22,500' },
      ],
    },
    {
      id: 'irrelevant-query',
      criteria: 'Agent does not invoke csv-analyzer for an unrelated query',
      input: 'What time is it?',
      assert: [trigger('csv-analyzer', false)],
    },
  ],
}

/** Transpiles a suite of tests to one file of evals. */
async function evalsOf(suite: object, files: Record<string, string> = CSV): Promise<EvalsFile> {
  const [content, ...others] = evalsIn(await transpileSuite({ name: 'suite', ...suite }, files))
  expect(others).toEqual([])
  return JSON.parse(content ?? '')
}

/** Transpiles a test to one eval. */
async function evalOf(fields: object, files: Record<string, string> = CSV) {
  const [item] = (await evalsOf({ tests: [{ ...TEST, ...fields }] }, files)).evals
  return item ?? expect.unreachable()
}

describe('the sample', () => {
  it('becomes the evals.json that the text shows', async () => {
    // Decided: criteria come first, as the table of fields asks for, and string ids stay as source_id.
    expect(await evalsOf(SAMPLE)).toEqual(CSV_EVALS)
  })

  it('becomes a trigger set for run_eval.py: a list of query and should_trigger', async () => {
    const { files } = await transpileSuite({ name: 'suite', ...SAMPLE }, CSV)
    const set = files.find(({ file }) => file === 'trigger-evals.json')
    expect(JSON.parse(set?.content ?? '')).toMatchObject([
      { query: ASKED, should_trigger: true },
      { query: 'What time is it?', should_trigger: false },
    ])
  })
})

describe('field mappings', () => {
  it('an id that is a string becomes a number, counted from 1', async () => {
    const { evals } = await evalsOf({
      tests: [
        { ...TEST, id: 'a' },
        { ...TEST, id: 'b' },
      ],
    })
    expect(evals.map(({ id }) => id)).toEqual([1, 2])
  })

  it('an id that is a number stays', async () => {
    const { evals } = await evalsOf({
      tests: [
        { ...TEST, id: 7 },
        { ...TEST, id: 3 },
      ],
    })
    expect(evals.map(({ id }) => id)).toEqual([7, 3])
  })

  it('an input that is a string is the prompt', async () => {
    expect(await evalOf({ input: 'What time is it?' })).toMatchObject({ prompt: 'What time is it?' })
  })

  it('of several messages, the last text of the user is the prompt', async () => {
    const input = [
      { role: 'system', content: 'Be short' },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Last' },
    ]
    expect(await evalOf({ input })).toMatchObject({ prompt: 'Last' })
  })

  it('file blocks are the files', async () => {
    const input = user({ type: 'file', value: FILE }, { type: 'text', value: 'x' }, { type: 'file', value: 'more.csv' })
    expect(await evalOf({ input })).toMatchObject({ files: [FILE, 'more.csv'] })
  })

  it('an expected output that is a string stays', async () => {
    expect(await evalOf({ expected_output: TOP })).toMatchObject({ expected_output: TOP })
  })

  it('an expected output of messages is flattened to a string', async () => {
    expect(await evalOf({ expected_output: [{ role: 'assistant', content: TOP }] })).toMatchObject({
      expected_output: TOP,
    })
  })

  it('a trigger check without should_trigger counts as true', async () => {
    expect(await evalOf({ assert: [trigger('csv-analyzer')] })).toMatchObject({ should_trigger: true })
  })

  it('the skill of the trigger checks is the skill_name of the file', async () => {
    expect(await evalsOf({ tests: [{ ...TEST, assert: [trigger('csv-analyzer')] }] })).toMatchObject({
      skill_name: 'csv-analyzer',
    })
  })

  it('criteria come before all other assertions', async () => {
    expect((await evalOf({ criteria: 'Is kind' })).assertions).toEqual(['Is kind', "Output contains 'ok'"])
  })
})

describe('file attachment extraction', () => {
  it('walks all messages', async () => {
    const input = [
      { role: 'system', content: [{ type: 'file', value: FILE }] },
      ...user({ type: 'file', value: 'more.csv' }, { type: 'text', value: 'Hi' }),
    ]
    expect(await evalOf({ input })).toMatchObject({ files: [FILE, 'more.csv'] })
  })

  it('keeps the values of file blocks unchanged', async () => {
    const input = user({ type: 'file', value: './more.csv' }, { type: 'text', value: 'Hi' })
    expect(await evalOf({ input })).toMatchObject({ files: ['./more.csv'] })
  })

  it('concatenates the text blocks into the prompt', async () => {
    const input = user({ type: 'text', value: 'One' }, { type: 'file', value: FILE }, { type: 'text', value: 'Two' })
    expect(await evalOf({ input })).toMatchObject({ prompt: 'One\n\nTwo' })
  })

  it('omits files if there are none', async () => {
    expect(await evalOf({})).not.toHaveProperty('files')
  })
})

describe('natural language conversion', () => {
  const expected_output = { name: 'Alice', age: 30 }
  const cases: [what: string, check: object, sentences: string[]][] = [
    ['rubrics with criteria, verbatim', { type: 'rubrics', criteria: 'Names "Alice"' }, ['Names "Alice"']],
    ['contains', { type: 'contains', value: '$22,500' }, ["Output contains '$22,500'"]],
    ['regex', { type: 'regex', value: '\\b30\\b' }, ['Output matches regex: \\b30\\b']],
    ['equals', { type: 'equals', value: 'yes' }, ['Output exactly equals: yes']],
    ['is-json', { type: 'is-json' }, ['Output is valid JSON']],
    ['llm-judge, its prompt verbatim', { type: 'llm-judge', prompt: 'Is it kind?' }, ['Is it kind?']],
    ['agent-judge, one for each rubric', { type: 'agent-judge', rubrics: ['Name', 'Age'] }, ['Name', 'Age']],
    [
      'tool-trajectory',
      { type: 'tool-trajectory', mode: 'in_order', expected: [{ tool: 'read' }, { tool: 'extract' }] },
      ['Agent called tools in order: read, extract'],
    ],
    [
      'code-judge with its name and description',
      { type: 'code-judge', name: 'types', command: ['node', '-v'], description: 'Fields have the right types' },
      ['types: Fields have the right types'],
    ],
    ['code-judge with its command', { type: 'code-judge', command: ['node', '--version'] }, ['node --version']],
    ['code-judge without a description', { type: 'code-judge', name: 'types', command: ['node'] }, ['types']],
    [
      'field-accuracy',
      { type: 'field-accuracy', fields: [{ path: 'name' }, { path: 'age' }] },
      ['Fields name, age match expected values'],
    ],
    ['latency', { type: 'latency', threshold: 5000 }, ['Response time under 5000ms']],
    ['cost', { type: 'cost', budget: 0.05 }, ['Cost under $0.05']],
  ]

  it.each(cases)('%s', async (_, check, sentences) => {
    expect((await evalOf({ assert: [check], expected_output })).assertions?.slice(1)).toEqual(sentences)
  })

  it('token-usage', async () => {
    // Decided: the sentence of the source text, then the limits, so that it can be read back.
    const { assertions } = await evalOf({ assert: [{ type: 'token-usage', max_total: 1000 }] })
    expect(assertions?.[1]).toBe('Token usage within limits: at most 1000 in total')
  })

  it('execution-metrics', async () => {
    // Decided: as for token-usage.
    const { assertions } = await evalOf({ assert: [{ type: 'execution-metrics', max_tool_calls: 10 }] })
    expect(assertions?.[1]).toBe('Execution within metric bounds: at most 10 tool calls')
  })

  it('every check but the trigger makes at least one string', async () => {
    const checks = cases.map(([, check]) => check).filter(check => !('name' in check))
    const { assertions = [] } = await evalOf({ assert: [trigger('s'), ...checks], expected_output })
    expect(assertions.length).toBeGreaterThan(checks.length)
    for (const text of assertions) expect(text).toMatch(/\S/)
  })

  it('checks of the suite are appended to every test', async () => {
    const { evals } = await evalsOf({
      assert: [{ type: 'latency', threshold: 5000 }],
      tests: [TEST, { ...TEST, id: 'two' }],
    })
    const all = ['Says ok', "Output contains 'ok'", 'Response time under 5000ms']
    expect(evals.map(({ assertions }) => assertions)).toEqual([all, all])
  })
})
