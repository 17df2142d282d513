import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageText } from '../../../src/model/message.ts'
import { judgeChecks } from '../../../src/model/verdict.ts'
import { gradeTest, gradingContext } from '../../support/checks.ts'
import { judgedBy } from '../../support/judges/scripted-judge.ts'
import { errorsOf, evaluated, load, PYTHON_JUDGE, promptsOf, suiteOf, TEST, valid, validTest } from './seed-suites.ts'

/** The statements of "Test Schema": expected output, rubrics, execution, conversations, notes and its complete examples. */
const SCORED = '{"score":1,"hits":[],"misses":[],"reasoning":""}'

describe('expected_output', () => {
  it('is a string', async () => {
    const expected_output = 'Hello Alice! Nice to meet you.'
    expect(await validTest({ expected_output })).toMatchObject({ expected_output })
  })

  it('is a list of messages', async () => {
    const expected_output = [{ role: 'assistant', content: 'Hello Alice!' }]
    expect((await validTest({ expected_output })).expected_output).toMatchObject([{ role: 'assistant' }])
  })

  it('is structured output', async () => {
    const expected_output = { name: 'Alice', age: 30, verified: true }
    expect(await validTest({ expected_output })).toMatchObject({ expected_output })
  })

  it('is the reference for model judges', async () => {
    const { asked } = await judgedBy(['{type: llm_judge}'], [SCORED], { fields: 'expected_output: Nice to meet you' })
    expect(asked[0]?.join()).toContain('Nice to meet you')
  })

  it('is the reference for field_accuracy', async () => {
    const assert = [{ type: 'field_accuracy', fields: [{ path: 'name' }, { path: 'age' }] }]
    const { results } = await evaluated(suiteOf({ expected_output: { name: 'Alice', age: 30 }, assert }), {
      targets: [{ name: 'default', provider: 'mock', response: '{"name": "Alice", "age": 31}' }],
    })
    expect(results).toMatchObject([{ score: 0.5 }])
  })
})

/** Grades the rubrics of a test with these judge items: the results, the prompts and the verdict. */
async function judgedRubrics(rubrics: readonly unknown[], items: readonly object[]) {
  const test = await validTest({ rubrics, assert: undefined })
  const prompts: string[] = []
  const results = await gradeTest(test, { text: 'Hello Alice!' }, gradingContext(), async (_, { messages }) => {
    prompts.push(messages.map(messageText).join('\n'))
    return { text: JSON.stringify({ items: items.map(item => ({ reasoning: 'looked', ...item })) }) }
  })
  return { results, prompts, judged: judgeChecks(results) }
}

describe('rubrics', () => {
  it('are simple strings, each an item that the judge is asked about', async () => {
    const rubrics = ["Mentions the user's name", 'Contains a greeting', 'Maintains friendly tone']
    const items = rubrics.map((_, index) => ({ id: `rubric-${index + 1}`, satisfied: index > 0 }))
    const { results, prompts } = await judgedRubrics(rubrics, items)
    for (const text of rubrics) expect(prompts[0]).toContain(text)
    expect(results[0]?.items).toMatchObject(rubrics.map((text, index) => ({ text, satisfied: index > 0 })))
  })

  it('are structured objects with an id and an outcome', async () => {
    const { results } = await judgedRubrics(
      [{ id: 'name-mention', outcome: 'Response includes "Alice"' }],
      [{ id: 'name-mention', satisfied: true }],
    )
    expect(results[0]?.items).toMatchObject([{ id: 'name-mention', text: 'Response includes "Alice"', passed: true }])
  })
})

describe('rubric schema', () => {
  const both = (one: object, other: object = {}) => [
    { id: 'name', outcome: 'Says the name', ...one },
    { id: 'greeting', outcome: 'Greets', ...other },
  ]
  const one = [
    { id: 'name', satisfied: false },
    { id: 'greeting', satisfied: true },
  ]

  it('id is unique', async () => {
    expect(await errorsOf({ rubrics: both({ id: 'greeting' }) })).toEqual(['duplicate-rubric'])
  })

  it('weight is 1 by default', async () => {
    const { results } = await judgedRubrics(both({}), one)
    expect([results[0]?.score, results[0]?.items?.map(({ weight }) => weight)]).toEqual([0.5, [1, 1]])
  })

  it('weight is the share of an item in the score', async () => {
    const { results } = await judgedRubrics(both({ weight: 2 }, { weight: 6 }), one)
    expect(results[0]?.score).toBe(0.75)
  })

  it('required makes the verdict fail if the item is missed, whatever the score', async () => {
    const { judged } = await judgedRubrics(both({ required: true }, { weight: 99 }), one)
    expect(judged).toMatchObject({ verdict: 'fail', score: 0.99 })
  })

  it('an item that is not required can be missed', async () => {
    const { judged } = await judgedRubrics(both({}, { weight: 99 }), one)
    expect(judged).toMatchObject({ verdict: 'pass' })
  })

  const ranges = { score_ranges: { 0: 'No greeting', 5: 'Generic greeting', 10: 'Personalized greeting' } }
  const ranged = (more: object = {}) => [{ id: 'greeting', outcome: 'Greets', ...ranges, ...more }]

  it('score_ranges describe scores to the judge', async () => {
    const { prompts } = await judgedRubrics(ranged(), [{ id: 'greeting', score: 5 }])
    for (const text of Object.values(ranges.score_ranges)) expect(prompts[0]).toContain(text)
  })

  it('score_ranges give a score on a scale from 0 to 10', async () => {
    const { results } = await judgedRubrics(ranged(), [{ id: 'greeting', score: 7 }])
    expect(results).toMatchObject([{ score: 0.7, items: [{ score: 7 }] }])
  })

  it('score_ranges have keys from 0 to 10', async () => {
    expect(await errorsOf({ rubrics: ranged({ score_ranges: { 11: 'Better' } }) })).toHaveLength(1)
  })

  it('required with score_ranges fails below 5 of 10', async () => {
    // Decided: the text does not say which score misses a required item.
    const verdict = async (score: number) =>
      (await judgedRubrics(ranged({ required: true }), [{ id: 'greeting', score }])).results[0]?.items?.[0]?.passed
    expect([await verdict(4.9), await verdict(5)]).toEqual([false, true])
  })

  it('a rubric has no other key', async () => {
    expect(await errorsOf({ rubrics: [{ id: 'a', outcome: 'b', wieght: 2 }] })).toEqual(['unknown-key'])
  })
})

describe('execution', () => {
  const SLOW = { name: 'slow', provider: 'mock', responses: [{ pattern: '', response: 'ok', delay_ms: 1500 }] }
  const STRONG = { name: 'powerful_model', provider: 'mock', response: 'ok, and more' }
  const targets = [{ name: 'default', provider: 'mock', response: 'ok' }, SLOW, STRONG]

  it('timeout_seconds overrides the timeout of the suite', async () => {
    const tests = [TEST, { ...TEST, id: 'slow-task', execution: { timeout_seconds: 600 } }]
    const suite = { name: 'suite', execution: { target: 'slow', timeout_seconds: 1 }, tests }
    const { results } = await evaluated(suite, { targets })
    expect(results.map(({ verdict }) => verdict)).toEqual(['error', 'pass'])
  })

  it('target overrides the target of the suite', async () => {
    const tests = [TEST, { ...TEST, id: 'other', execution: { target: 'powerful_model' } }]
    const { results } = await evaluated({ name: 'suite', execution: { target: 'default' }, tests }, { targets })
    expect(results.map(({ answer }) => answer)).toEqual(['ok', 'ok, and more'])
  })

  it('assert adds checks to this test alone', async () => {
    const custom = [{ name: 'custom_check', type: 'code_judge', script: ['python', './judges/analysis.py'] }]
    const tests = [
      { ...TEST, execution: { assert: custom } },
      { ...TEST, id: 'two' },
    ]
    const { results } = await evaluated({ name: 'suite', tests }, { files: { 'judges/analysis.py': PYTHON_JUDGE } })
    expect(results.map(({ evaluator_results }) => evaluator_results.map(({ name, score }) => [name, score]))).toEqual([
      [
        ['contains', 1],
        ['custom_check', 1],
      ],
      [['contains', 1]],
    ])
  })
})

describe('conversation_id', () => {
  const turns = [
    { role: 'user', content: 'My email is alice@example.com' },
    { role: 'assistant', content: 'Found it.' },
  ]
  const later = [...turns, { role: 'user', content: 'Reset my password please' }]
  const tests = [
    { ...TEST, id: 'turn-1', conversation_id: 'support-flow' },
    { ...TEST, id: 'alone' },
    { ...TEST, id: 'turn-2', conversation_id: 'support-flow', input: later },
  ]

  it('groups the records of tests that belong together', async () => {
    const { results } = await evaluated({ name: 'suite', tests })
    expect(results.map(({ test_id, conversation_id }) => [test_id, conversation_id])).toEqual([
      ['turn-1', 'support-flow'],
      ['alone', undefined],
      ['turn-2', 'support-flow'],
    ])
  })

  it('runs its tests one after another, in their order', async () => {
    const slow = [
      { pattern: 'Hi', response: 'ok', delay_ms: 300 },
      { pattern: '', response: 'ok' },
    ]
    const { results } = await evaluated(
      { name: 'suite', tests },
      {
        targets: [{ name: 'default', provider: 'mock', responses: slow }],
        args: ['--workers', '4'],
      },
    )
    const started = (id: string) => Date.parse(results.find(({ test_id }) => test_id === id)?.timestamp ?? '')
    expect(started('turn-2') - started('turn-1')).toBeGreaterThanOrEqual(250)
  })

  it('has the earlier turns in the input of a later test', async () => {
    const prompts = await promptsOf({ name: 'suite', tests })
    expect(prompts.at(-1)?.messages.map(message => [message.role, messageText(message)])).toEqual(
      later.map(({ role, content }) => [role, content]),
    )
  })
})

describe('note', () => {
  const note = 'The date format is DD/MM/YYYY.\nDo not assume US format.\n'

  it('is passed to code judges', async () => {
    const assert = [{ type: 'code_judge', script: ['python', './judge.py'] }]
    const { folder } = await evaluated(suiteOf({ note, assert }), { files: { 'judge.py': PYTHON_JUDGE } })
    expect(JSON.parse(readFileSync(join(folder, 'judge.json'), 'utf8'))).toMatchObject({ note })
  })

  it('is passed to model judges', async () => {
    const { asked } = await judgedBy(['{type: llm_judge}'], [SCORED], { fields: 'note: DD/MM/YYYY is meant' })
    expect(asked[0]?.join()).toContain('DD/MM/YYYY is meant')
  })

  it('is not sent to the agent', async () => {
    expect(JSON.stringify(await promptsOf(suiteOf({ note })))).not.toContain('DD/MM')
  })
})

describe('complete examples', () => {
  it('a basic test is graded by its rubrics', async () => {
    const { checks } = await validTest({ input: 'Hello!', assert: undefined, rubrics: ['Contains a greeting word'] })
    expect(checks.map(({ type }) => type)).toEqual(['rubrics'])
  })

  const COMPLEX = {
    id: 'code-review-security',
    description: 'Tests security vulnerability detection',
    criteria: 'Agent identifies SQL injection\nand suggests parameterized queries.\n',
    input: [
      { role: 'system', content: [{ type: 'file', value: './prompts/security-reviewer.md' }] },
      {
        role: 'user',
        content: [
          { type: 'text', value: 'Review this code for security issues:' },
          { type: 'file', value: './fixtures/vulnerable.py' },
        ],
      },
    ],
    expected_output: [{ role: 'assistant', content: 'Security Issue: SQL Injection.\n' }],
    rubrics: [
      { id: 'identifies-vuln', outcome: 'Identifies SQL injection', weight: 3, required: true },
      { id: 'suggests-fix', outcome: 'Suggests parameterized queries', weight: 2 },
      { id: 'explains-risk', outcome: 'Explains potential impact', weight: 1 },
    ],
    assert: [{ name: 'vuln_check', type: 'code_judge', script: ['python', './judges/security_check.py'] }],
  }
  const FILES = {
    'prompts/security-reviewer.md': 'You review code.',
    'fixtures/vulnerable.py': 'query = "SELECT " + name',
    'judges/security_check.py': PYTHON_JUDGE,
  }

  it('a complex test is valid without a diagnostic', async () => {
    const { tests } = await valid({ name: 'suite', tests: [COMPLEX] }, FILES)
    expect(tests[0]?.checks.map(({ name }) => name)).toEqual(['vuln_check', 'rubrics'])
  })

  it('a complex test passes its input files to its judge', async () => {
    const test = { ...COMPLEX, rubrics: undefined }
    const { folder, results } = await evaluated({ name: 'suite', tests: [test] }, { files: FILES })
    expect(results).toMatchObject([{ verdict: 'pass' }])
    const read = JSON.parse(readFileSync(join(folder, 'judges/security_check.json'), 'utf8'))
    expect(read.input_files).toHaveLength(2)
    expect(read).toMatchObject({ test_id: COMPLEX.id, criteria: COMPLEX.criteria, answer: 'ok' })
  })

  it('a complex test has no missing files', async () => {
    expect((await load({ name: 'suite', tests: [COMPLEX] })).errors).toEqual(Array(3).fill('file-missing'))
  })
})
