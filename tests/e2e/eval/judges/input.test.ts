import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { judgeInputSchema } from '../../../../src/model/judge-protocol.ts'
import { FULL_MARK, type JudgeRun, judgeFolder, runJudges } from '../../../support/judges/judge-suite.ts'

/** A judge that stores its input under a name. */
function keeper(name: string, more: object = {}): object {
  return { type: 'code_judge', name, command: `cat > ${name}.json; echo '${FULL_MARK.trim()}'`, ...more }
}

const CALLS = [
  {
    tool: 'Read',
    input: { filePath: 'a', file_path: 'b', innerKeys: [{ deepKey: 1, deep_key: 2 }] },
    output: { rowCount: 3 },
  },
  { tool: 'do_it', duration_ms: 12, error: 'no' },
]
const FIGURES = { token_usage: { input: 10, output: 5, cached: 2, reasoning: 1 }, cost_usd: 0.25, duration_ms: 1234 }
const METADATA = { riskLevel: 'high', risk_level: 'low', nestedKeys: { someKey: [1, null, true], some_key: 'é' } }
const CONFIG = { maxWords: 3, max_words: 4, deepValue: { innerKey: null } }

const TESTS = [
  {
    id: 'whole',
    criteria: 'Finds it',
    note: 'For judges',
    metadata: METADATA,
    input: [
      { role: 'system', content: 'Be short' },
      {
        role: 'user',
        content: [
          { type: 'text', value: 'Look' },
          { type: 'file', value: './notes.md' },
          { type: 'file', value: './bytes.bin' },
          { type: 'json', value: { aKey: 1 } },
        ],
      },
    ],
    expected_output: { totalAmount: 42, line_items: [{ unitPrice: 1.5 }] },
    assert: [keeper('whole', { config: CONFIG })],
  },
  {
    id: 'bare',
    criteria: undefined,
    execution: { target: 'bare' },
    assert: [keeper('bare')],
  },
  {
    id: 'messages',
    input: 'Read it',
    input_files: ['notes.md'],
    execution: { trials: 2, target: 'quiet' },
    expected_output: [
      { role: 'user', content: 'And?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', value: 'It is' },
          { type: 'json', value: { someValue: 1 } },
        ],
      },
    ],
    assert: [keeper('messages', { command: `cat > trials/$$.json; echo '${FULL_MARK.trim()}'` })],
  },
  { id: 'plain', expected_output: 'Yes,\n"quoted" 🎉', assert: [keeper('plain')] },
]

const TARGETS = [
  { name: 'default', provider: 'mock', responses: [{ pattern: '', response: 'Found', tool_calls: CALLS, ...FIGURES }] },
  { name: 'bare', provider: 'mock', response: 'ok' },
  { name: 'quiet', provider: 'mock', responses: [{ pattern: '', response: 'ok', tool_calls: [], token_usage: {} }] },
]

let run: JudgeRun
let folder: string

function judgeInput(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8'))
}

beforeAll(async () => {
  folder = judgeFolder({
    tests: TESTS,
    targets: TARGETS,
    files: { 'notes.md': 'Some notes\n', 'bytes.bin': new Uint8Array([0xff, 0xfe, 0]), 'trials/here': '' },
  })
  run = await runJudges(folder)
  expect(run.stderr).toContain('4 passed')
})

describe('the input of a judge', () => {
  it('has every key of the protocol, with the data of the test and the answer', () => {
    const notes = join(folder, 'notes.md')
    const bytes = join(folder, 'bytes.bin')
    const input = [
      { role: 'system', content: 'Be short' },
      {
        role: 'user',
        content: [
          { type: 'text', value: 'Look' },
          { type: 'file', value: notes, text: 'Some notes\n' },
          { type: 'file', value: bytes },
          { type: 'json', value: { aKey: 1 } },
        ],
      },
    ]
    const expected = [{ role: 'assistant', content: { totalAmount: 42, line_items: [{ unitPrice: 1.5 }] } }]
    const output = [{ role: 'assistant', content: 'Found', tool_calls: CALLS }]
    const reference = JSON.stringify(expected[0]?.content, null, 2)
    const byName = { Read: 1, do_it: 1 }
    const trace = {
      event_count: 2,
      tool_names: ['Read', 'do_it'],
      tool_calls_by_name: byName,
      error_count: 1,
      llm_call_count: 1,
      cost_usd: FIGURES.cost_usd,
      duration_ms: FIGURES.duration_ms,
    }
    expect(judgeInput('whole')).toEqual({
      test_id: 'whole',
      testId: 'whole',
      question: '# system\nBe short\n\n# user\nLook\n\n{\n  "aKey": 1\n}',
      criteria: 'Finds it',
      answer: 'Found',
      candidateAnswer: 'Found',
      candidate_answer: 'Found',
      reference_answer: reference,
      referenceAnswer: reference,
      input_messages: input,
      inputMessages: input,
      input,
      expected_messages: expected,
      expectedMessages: expected,
      expected_output: expected,
      expectedOutput: expected,
      output_messages: output,
      outputMessages: output,
      output,
      has_transcript: true,
      hasTranscript: true,
      guideline_files: [],
      guidelineFiles: [],
      input_files: [notes, bytes],
      inputFiles: [notes, bytes],
      note: 'For judges',
      metadata: METADATA,
      target: 'default',
      trial: 1,
      workspace_path: null,
      workspacePath: null,
      trace,
      trace_summary: trace,
      traceSummary: {
        eventCount: 2,
        toolNames: ['Read', 'do_it'],
        toolCallsByName: byName,
        errorCount: 1,
        llmCallCount: 1,
        costUsd: FIGURES.cost_usd,
        durationMs: FIGURES.duration_ms,
      },
      ...FIGURES,
      tokenUsage: FIGURES.token_usage,
      costUsd: FIGURES.cost_usd,
      durationMs: FIGURES.duration_ms,
      config: CONFIG,
    })
  })

  it('has empty values for unknown data', () => {
    expect(judgeInput('bare')).toMatchObject({
      question: 'Hi',
      criteria: '',
      answer: 'ok',
      reference_answer: '',
      expected_messages: [],
      output_messages: [{ role: 'assistant', content: 'ok' }],
      has_transcript: false,
      input_files: [],
      note: '',
      metadata: {},
      workspace_path: null,
      trace_summary: { event_count: 0, tool_names: [], cost_usd: null, duration_ms: expect.any(Number) },
      token_usage: null,
      cost_usd: null,
      duration_ms: expect.any(Number),
      config: {},
    })
    expect(Object.keys(judgeInput('bare'))).toEqual(Object.keys(judgeInput('whole')))
  })

  it('is valid under the published schema for every test', () => {
    for (const file of ['whole', 'bare', 'plain'])
      expect(judgeInputSchema().safeParse(judgeInput(file)).error).toBeUndefined()
  })

  it('has a summary without calls if the transcript has none', () => {
    const none = { event_count: 0, tool_names: [], tool_calls_by_name: {}, error_count: 0, llm_call_count: 1 }
    for (const payload of trialInputs()) expect(payload['trace_summary']).toMatchObject(none)
  })

  it('has the trial and the target', () => {
    expect(trialInputs().map(({ trial, target }) => [trial, target])).toEqual([
      [1, 'quiet'],
      [2, 'quiet'],
    ])
  })

  it('has the last assistant message as reference, and files before text', () => {
    const [payload] = trialInputs()
    expect(payload?.['reference_answer']).toBe('It is\n\n{\n  "someValue": 1\n}')
    expect(payload?.['expected_messages']).toEqual([
      { role: 'user', content: 'And?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', value: 'It is' },
          { type: 'json', value: { someValue: 1 } },
        ],
      },
    ])
    expect(payload?.['input_files']).toEqual([join(folder, 'notes.md')])
    expect(payload?.['question']).toBe('Read it')
  })

  it('has an expected text unchanged', () => {
    const text = 'Yes,\n"quoted" 🎉'
    expect(judgeInput('plain')).toMatchObject({
      reference_answer: text,
      expectedMessages: [{ role: 'assistant', content: text }],
    })
  })
})

/** The inputs of the judge of the test with two trials, in order. */
function trialInputs(): Record<string, unknown>[] {
  const names = readdirSync(join(folder, 'trials')).filter(name => name.endsWith('.json'))
  expect(names).toHaveLength(2)
  return names
    .map(name => judgeInput(`trials/${name.replace('.json', '')}`))
    .sort((a, b) => Number(a['trial']) - Number(b['trial']))
}

describe('an input file that the agent deleted', () => {
  it('is not a bug, and the other tests run', async () => {
    const agent = { name: 'default', provider: 'cli', command: ['sh', '-c', 'rm -f gone.md; echo ok'] }
    const { code, result } = await runJudges(
      judgeFolder({
        tests: [
          { id: 'removed', input_files: ['gone.md'], assert: [keeper('removed')] },
          { id: 'other', assert: [keeper('other')] },
        ],
        targets: [{ ...agent, workers: 1 }],
        files: { 'gone.md': 'Read me\n' },
      }),
      ['--workers', '1'],
    )
    expect(result('other').verdict).toBe('pass')
    expect(result('removed').error?.code).not.toBe('bug')
    expect(code).not.toBe(70)
  })
})
