import { describe, expect, it } from 'vitest'
import type { Answer, ToolCall } from '../../src/model/answer.ts'
import type { EvaluatorResult } from '../../src/model/evaluator-result.ts'
import { judgeChecks } from '../../src/model/verdict.ts'
import { gradeChecks, loadTestWithDiagnostics } from '../support/checks.ts'
import { evalFolder, evaluate } from '../support/evaluation.ts'

/** The fields of a check in YAML, the calls, and the grade. */
type Case = [fields: string, calls: ToolCall[], score: 0 | 1, fact: string]

const skill = (name: unknown): ToolCall => ({ tool: 'Skill', input: { skill: name } })
const read = (path: unknown): ToolCall => ({ tool: 'Read', input: { file_path: path } })
const BASH: ToolCall = { tool: 'Bash', input: { command: 'ls' } }

/** Calls that contain the name of the skill, but do not trigger it. */
const ODD: [what: string, call: ToolCall][] = [
  ['no input', { tool: 'Skill' }],
  ['null', { tool: 'Skill', input: null }],
  ['a string', { tool: 'Skill', input: 'csv' }],
  ['a string of JSON', { tool: 'Skill', input: '{"skill":"csv"}' }],
  ['a list', { tool: 'Skill', input: ['csv'] }],
  ['a list of mappings', { tool: 'Skill', input: [{ skill: 'csv' }] }],
  ['a number', { tool: 'Skill', input: 7 }],
  ['an empty mapping', { tool: 'Skill', input: {} }],
  ['a skill that is a list', skill(['csv'])],
  ['a skill that is a mapping', skill({ name: 'csv' })],
  ['a skill that is a number', skill(5)],
  ['a skill that is null', skill(null)],
  ['an empty skill', skill('')],
  ['another key', { tool: 'Skill', input: { name: 'csv', command: 'csv', Skill: 'csv' } }],
  ['the key of the other tool', { tool: 'Skill', input: { file_path: 'csv/SKILL.md' } }],
  ['the key of the other tool, in Read', { tool: 'Read', input: { skill: 'csv', path: 'csv/SKILL.md' } }],
  ['a path that is a list', read(['csv/SKILL.md'])],
  ['no input of Read', { tool: 'Read' }],
  ['the name in the output', { tool: 'Read', input: { file_path: 'a.md' }, output: 'skills/csv/SKILL.md' }],
  ['another tool', { tool: 'Bash', input: { skill: 'csv', file_path: 'csv/SKILL.md' } }],
  ['another tool that reads', { tool: 'Grep', input: { file_path: 'skills/csv/SKILL.md' } }],
  ['a tool in small letters', { tool: 'skill', input: { skill: 'csv' } }],
  ['a tool in capitals', { tool: 'READ', input: { file_path: 'csv/SKILL.md' } }],
  ['a tool with a longer name', { tool: 'SkillRunner', input: { skill: 'csv' } }],
  ['only the raw name', { tool: 'Other', raw_tool: 'Skill', input: { skill: 'csv' } }],
]

const first: Case[] = [
  ['skill: csv', [skill('csv')], 1, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv', [skill('data:csv')], 1, 'used the skill csv (Skill {"skill":"data:csv"})'],
  ['skill: data:csv', [skill('data:csv')], 1, 'used the skill data:csv (Skill {"skill":"data:csv"})'],
  ['skill: csv', [read('/skills/csv/SKILL.md')], 1, 'used the skill csv (Read {"file_path":"/skills/csv/SKILL.md"})'],
  ['skill: csv', [skill('csv'), BASH], 1, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv', [skill('CSV')], 0, 'did not use the skill csv: its first call was Skill {"skill":"CSV"}'],
  ['skill: CSV', [read('a/csv.md')], 0, 'did not use the skill CSV: its first call was Read {"file_path":"a/csv.md"}'],
  ['skill: csv-tools', [skill('csv')], 0, 'did not use the skill csv-tools: its first call was Skill {"skill":"csv"}'],
  ['skill: c.v', [skill('csv')], 0, 'did not use the skill c.v: its first call was Skill {"skill":"csv"}'],
  ['skill: csv', [BASH, skill('csv')], 0, 'did not use the skill csv: its first call was Bash {"command":"ls"}'],
  [
    'skill: csv',
    [skill('pdf'), skill('csv')],
    0,
    'did not use the skill csv: its first call was Skill {"skill":"pdf"}',
  ],
  [
    'skill: csv',
    [read('a.md'), skill('csv')],
    0,
    'did not use the skill csv: its first call was Read {"file_path":"a.md"}',
  ],
  ['skill: csv', [], 0, 'did not use the skill csv: it called no tool'],
  [
    'skill: csv, scan: first',
    [BASH, skill('csv')],
    0,
    'did not use the skill csv: its first call was Bash {"command":"ls"}',
  ],
]

const all: Case[] = [
  ['skill: csv, scan: all', [skill('csv')], 1, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv, scan: all', [BASH, skill('pdf'), skill('csv')], 1, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv, scan: all', [BASH, read('csv/SKILL.md')], 1, 'used the skill csv (Read {"file_path":"csv/SKILL.md"})'],
  ['skill: csv, scan: all', [BASH, skill('CSV')], 0, 'did not use the skill csv'],
  ['skill: csv, scan: all', [], 0, 'did not use the skill csv: it called no tool'],
  [
    'skill: csv, scan: all, should_trigger: false',
    [BASH, skill('csv')],
    0,
    'used the skill csv (Skill {"skill":"csv"})',
  ],
  ['skill: csv, scan: all, should_trigger: false', [BASH, BASH], 1, 'did not use the skill csv'],
]

const unwanted: Case[] = [
  ['skill: csv, should_trigger: false', [skill('csv')], 0, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv, should_trigger: false', [read('csv/a')], 0, 'used the skill csv (Read {"file_path":"csv/a"})'],
  [
    'skill: csv, should_trigger: false',
    [BASH],
    1,
    'did not use the skill csv: its first call was Bash {"command":"ls"}',
  ],
  [
    'skill: csv, should_trigger: false',
    [BASH, skill('csv')],
    1,
    'did not use the skill csv: its first call was Bash {"command":"ls"}',
  ],
  ['skill: csv, should_trigger: false', [], 1, 'did not use the skill csv: it called no tool'],
  ['skill: csv, should_trigger: true', [skill('csv')], 1, 'used the skill csv (Skill {"skill":"csv"})'],
]

const negated: Case[] = [
  ['skill: csv, negate: true', [skill('csv')], 0, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv, negate: true', [], 1, 'did not use the skill csv: it called no tool'],
  ['skill: csv, should_trigger: false, negate: true', [skill('csv')], 1, 'used the skill csv (Skill {"skill":"csv"})'],
  ['skill: csv, should_trigger: false, negate: true', [], 0, 'did not use the skill csv: it called no tool'],
]

/** One message per call, between messages without calls. */
function answerWith(calls: readonly ToolCall[]): Answer {
  const turns = calls.flatMap(call => [
    { role: 'assistant', content: 'skill: csv', tool_calls: [call] },
    { role: 'tool', content: 'Read csv' },
  ])
  return { text: 'I used Skill csv', output_messages: [{ role: 'assistant', tool_calls: [] }, ...turns] }
}

describe.each([
  ['the first call', first],
  ['all calls', all],
  ['a skill that should be left alone', unwanted],
  ['negate', negated],
])('%s', (_, cases) => {
  it.each(cases)('%s on %j: %d', async (fields, calls, score, fact) => {
    const [result] = await gradeChecks([`{type: trigger_judge, ${fields}}`], answerWith(calls))
    expect(result).toMatchObject({
      score,
      passed: score === 1,
      hits: score === 1 ? [fact] : [],
      misses: score === 1 ? [] : [fact],
    })
  })
})

describe('odd calls trigger nothing', () => {
  it.each(ODD)('%s', async (_, call) => {
    const checks = ['', ', scan: all', ', should_trigger: false', ', scan: all, should_trigger: false']
    const results = await gradeChecks(
      checks.map(more => `{type: trigger_judge, skill: csv${more}}`),
      answerWith([call]),
    )
    expect(results.map(({ score }) => score)).toEqual([0, 0, 1, 1])
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined])
  })

  it.each(ODD)('%s, but scan: all finds the next call', async (_, call) => {
    const [result] = await gradeChecks(
      ['{type: trigger_judge, skill: csv, scan: all}'],
      answerWith([call, skill('csv')]),
    )
    expect(result).toMatchObject({ score: 1, hits: ['used the skill csv (Skill {"skill":"csv"})'], misses: [] })
  })
})

describe('without a transcript', () => {
  it.each(['', ', scan: all', ', should_trigger: false', ', negate: true', ', should_trigger: false, negate: true'])(
    'cannot be judged: {skill: csv%s}',
    async more => {
      const [result] = await gradeChecks([`{type: trigger_judge, skill: csv${more}}`], { text: 'Skill csv' })
      expect(result).toMatchObject({
        score: null,
        passed: false,
        hits: [],
        misses: [],
        error: { code: 'no-transcript' },
      })
      expect(judgeChecks([result!])).toEqual({ score: null, verdict: 'error' })
    },
  )

  it.each<[what: string, output_messages: Answer['output_messages'] & object]>([
    ['no messages', []],
    ['a message without calls', [{ role: 'assistant', content: 'No' }]],
    ['an empty list of calls', [{ role: 'assistant', tool_calls: [] }]],
  ])('differs from a transcript with %s', async (_, output_messages) => {
    const checks = ['{type: trigger_judge, skill: csv}', '{type: trigger_judge, skill: csv, should_trigger: false}']
    const results = await gradeChecks(checks, { text: 'No', output_messages })
    expect(results.map(({ score }) => score)).toEqual([0, 1])
  })
})

describe('the record has the expected and the observed use', () => {
  /** The recorded skill use of a check and its nested checks. */
  const triggersIn = async (check: string, answer: Answer) => {
    const all = (results: readonly EvaluatorResult[]): unknown[] =>
      results.flatMap(result => [result.trigger ?? [], all(result.evaluator_results ?? [])].flat())
    return all(await gradeChecks([check], answer))
  }
  const used = answerWith([skill('csv')])
  const trigger = (should_trigger: boolean, triggered = true) => ({ skill: 'csv', should_trigger, triggered })
  const CSV = 'type: trigger_judge, skill: csv'

  it.each<[check: string, recorded: object]>([
    [`{${CSV}}`, trigger(true)],
    [`{${CSV}, should_trigger: false}`, trigger(false)],
    [`{${CSV}, negate: true}`, trigger(false)],
    [`{${CSV}, should_trigger: false, negate: true}`, trigger(true)],
    [`{type: composite, evaluators: [{${CSV}}]}`, trigger(true)],
    [`{type: composite, negate: true, evaluators: [{${CSV}}]}`, trigger(false)],
    [`{type: composite, negate: true, evaluators: [{${CSV}, negate: true}]}`, trigger(true)],
    [
      `{type: composite, negate: true, evaluators: [{type: composite, evaluators: [{${CSV}, should_trigger: false}]}]}`,
      trigger(true),
    ],
  ])('%s', async (check, recorded) => {
    expect(await triggersIn(check, used)).toEqual([recorded])
    expect(await triggersIn(check, answerWith([BASH]))).toEqual([{ ...recorded, triggered: false }])
  })

  it('without the observed use if it is unknown', async () => {
    const unknown = [{ skill: 'csv', should_trigger: false, triggered: undefined }]
    expect(await triggersIn(`{${CSV}, negate: true}`, { text: 'Skill csv' })).toEqual(unknown)
    const gate = 'aggregator: {type: safety_gate, required: [gate]}'
    const closed = `{type: composite, negate: true, ${gate}, evaluators: [{name: gate, type: contains, value: never}, {${CSV}}]}`
    expect(await triggersIn(closed, used)).toEqual(unknown)
    const deep = `{type: composite, ${gate}, evaluators: [{name: gate, type: contains, value: never}, {type: composite, negate: true, evaluators: [{${CSV}}]}]}`
    expect(await triggersIn(deep, used)).toEqual(unknown)
  })

  it('only for checks of skills', async () => {
    expect(await triggersIn('{type: contains, value: Skill}', used)).toEqual([])
  })
})

it('the first call can be one of several in a message', async () => {
  const output_messages = [{ role: 'assistant', tool_calls: [BASH, skill('csv')] }]
  const checks = ['{type: trigger_judge, skill: csv}', '{type: trigger_judge, skill: csv, scan: all}']
  const results = await gradeChecks(checks, { text: '', output_messages })
  expect(results.map(({ score }) => score)).toEqual([0, 1])
})

it.each([
  'skill: ""',
  'should_trigger: true',
  'skill: csv, scan: last',
  'skill: csv, match: part',
  'skill: csv, should_trigger: maybe',
])('rejects {%s} before the run', async fields => {
  expect((await loadTestWithDiagnostics([`{type: trigger_judge, ${fields}}`])).diagnostics).toHaveLength(1)
})

it('a failed target is an error, even if the skill should not be used', async () => {
  const check = { type: 'trigger_judge', skill: 'csv', should_trigger: false }
  const tests = ['fails', 'answers'].map(id => ({ id, input: id, assert: [check] }))
  const responses = [{ pattern: 'answers', response: 'ok', tool_calls: [] }]
  const { results } = await evaluate(evalFolder(tests, [{ name: 'default', provider: 'mock', responses }]))
  expect(results.get('fails')).toMatchObject({ verdict: 'error', score: null, error: { stage: 'answer' } })
  expect(results.get('answers')).toMatchObject({ verdict: 'pass', score: 1 })
})
