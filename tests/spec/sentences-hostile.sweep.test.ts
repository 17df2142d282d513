import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { CheckInWords } from '../../src/model/evaluator.ts'
import { sentenceToCheck } from '../../src/spec/evals-to-suite.ts'

type Fields = Record<string, unknown>
type Facts = { readonly text?: string; readonly calls?: readonly string[]; readonly figure?: number }

const host = nodeHost()
const byType = new Map(evaluators.map(each => [each.type, each]))

/** A loaded check of a type with these fields. */
function checkOf({ type, negate, ...fields }: Fields): CheckInWords {
  const evaluator = byType.get(String(type)) ?? expect.unreachable(String(type))
  const config = evaluator.config().parse(fields)
  const own = { written_name: undefined, description: undefined, negate: negate === true, files: new Map() }
  return { evaluator, type: evaluator.type, config, ...own }
}

function sentenceOf(fields: Fields): string {
  const [sentence, ...others] = checkOf(fields).evaluator.sentences.write(checkOf(fields))
  expect(others).toEqual([])
  return sentence ?? ''
}

/** The score of an answer. */
async function gradeOf(fields: Fields, { text = '', calls = [], figure = 0 }: Facts, expected?: unknown) {
  const { evaluator, config, negate } = checkOf(fields)
  const tool_calls = calls.map(tool => ({ tool, input: {} }))
  const answer = {
    text,
    output_messages: [{ role: 'assistant', content: text, tool_calls }],
    token_usage: { input: figure, output: figure },
    cost_usd: figure,
    duration_ms: figure,
  }
  const subject = { answer, test: { id: 't', expected_output: expected } }
  const { score } = await evaluator.grade(config, subject as never, { host, files: new Map() } as never)
  return negate ? 1 - score : score
}

/** Expects that a check read back from its sentence has the same sentence, and the same grades unless it is a rubric. */
async function expectSameGrades(fields: Fields, answers: readonly Facts[], expected?: unknown): Promise<void> {
  const sentence = sentenceOf(fields)
  const back = sentenceToCheck(sentence, { expected_output: expected }, evaluators)
  if (back['type'] === 'rubrics') return expect(back).toEqual({ type: 'rubrics', criteria: sentence })
  const scores = (check: Fields) => Promise.all(answers.map(answer => gradeOf(check, answer, expected)))
  expect({ sentence, scores: await scores(back) }).toEqual({ sentence, scores: await scores(fields) })
}

const HOSTILE = [
  'a\\',
  "', '",
  "a', 'b",
  ': ',
  '; ',
  "'",
  "\\'",
  '\\n',
  '\n',
  ' \t ',
  'x\r',
  '\u2028',
  '\u0000',
  '-0',
  '007',
  "any of: 'a'",
]
const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(..."ab'\\n, :;\n\t\r") }),
)
const visible = text.filter(value => /\S/.test(value))
const negate = fc.constantFrom({}, { negate: true })
const RUNS = { numRuns: 300 }

/** Answers that contain the values, parts of them, and similar texts. */
function textsAbout(values: readonly string[]): Facts[] {
  const near = values.flatMap(value => [
    value,
    value.trim(),
    value.replaceAll('\\', ''),
    `${value}x`,
    `x${value}`,
    value.toUpperCase(),
  ])
  return ['', ...near, values.join(''), ...values.flatMap(value => value.split(/[,;:' ]/))].map(text => ({ text }))
}

describe('a check read back from its sentence grades as before', () => {
  it.each(['contains', 'icontains', 'starts_with', 'ends_with', 'equals'])('%s', async type => {
    await fc.assert(
      fc.asyncProperty(visible, negate, (value, more) =>
        expectSameGrades({ type, value, ...more }, textsAbout([value])),
      ),
      RUNS,
    )
  })

  it.each(['contains_any', 'contains_all', 'icontains_any', 'icontains_all'])('%s', async type => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), negate, (value, more) =>
        expectSameGrades({ type, value, ...more }, textsAbout(value)),
      ),
      RUNS,
    )
  })

  const answersToRegex = ['\\\n', '\\n', '\n', 'n', 'a\nb', 'a\\nb', 'a\\\nb', 'a\r\nb', ' a', 'a ', 'a'].map(text => ({
    text,
  }))
  it.each([
    'a\nb',
    'a\\\nb',
    'a\\\\\nb',
    'a\\\\\\\nb',
    '[\\\n]',
    '[\n\\]]',
    'a ',
    ' a',
    'a\r\nb',
    '\\n',
    'a\u2028b',
    '(?:a|: b; c, d)',
    'a$',
  ])('regex: %j', async value => {
    for (const flags of [undefined, 'i', 'ms']) {
      await expectSameGrades({ type: 'regex', value, ...(flags ? { flags } : {}) }, answersToRegex)
    }
  })

  it.each([
    'latency:threshold',
    'cost:budget',
    'token_usage:max_total',
    'token_usage:max_input',
    'execution_metrics:max_cost_usd',
    'execution_metrics:max_duration_ms',
  ])('%s', async key => {
    const [type = '', field = ''] = key.split(':')
    const number = fc.oneof(
      fc.constantFrom(0, -0, 1e21, 1e-7, 0.1 + 0.2, 5e-324, Number.MAX_VALUE),
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    )
    await fc.assert(
      fc.asyncProperty(number, negate, async (limit, more) => {
        const fields = { type, [field]: limit, ...more }
        expect(sentenceToCheck(sentenceOf(fields), { expected_output: undefined }, evaluators)['type']).toBe(type)
        await expectSameGrades(
          fields,
          [limit, limit / 2, limit * 2, limit + 1].map(figure => ({ figure })),
        )
      }),
      RUNS,
    )
  })

  const TOOLS = ['a', 'b', 'a b', 'a 1']
  const trajectories = (names: readonly string[]) =>
    [
      [],
      ...names.map(name => [name]),
      [...names],
      [...names].reverse(),
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'a'],
      ['a', 'b', 'rm'],
    ].map(calls => ({ calls }))
  const trajectory = fc.record(
    {
      mode: fc.constantFrom('any_order', 'in_order', 'exact', 'subset', 'superset'),
      expected: fc.array(fc.record({ tool: fc.constantFrom(...TOOLS) }), { maxLength: 3 }),
      minimums: fc.dictionary(fc.constantFrom(...TOOLS), fc.integer({ min: 0, max: 2 }), { minKeys: 1, maxKeys: 2 }),
      maximums: fc.dictionary(fc.constantFrom(...TOOLS), fc.integer({ min: 0, max: 2 }), { minKeys: 1, maxKeys: 2 }),
      forbidden: fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['mode'] },
  )

  it('tool_trajectory, of tools with usual names', async () => {
    const given = trajectory.filter(({ mode: _, ...rest }) => Object.keys(rest).length > 0)
    await fc.assert(
      fc.asyncProperty(given, negate, (fields, more) =>
        expectSameGrades({ type: 'tool_trajectory', ...fields, ...more }, trajectories(TOOLS)),
      ),
      { numRuns: 600 },
    )
  })

  it.each<Fields>([
    { mode: 'in_order', expected: [{ tool: 'a, b' }] },
    { mode: 'in_order', expected: [{ tool: 'a; Agent did not call: b' }] },
    { minimums: { 'a 1, b': 1 } },
    { forbidden: ['a, b'] },
    { forbidden: ['a: b'] },
    { expected: [{ tool: ' a' }, { tool: 'a ' }] },
    { mode: 'exact', minimums: { a: 1, b: 1 } },
  ])('tool_trajectory: %j', async fields => {
    const names = ['a', 'b', 'a, b', 'a: b', ' a', 'a ', 'a 1, b', 'a; Agent did not call: b']
    await expectSameGrades({ type: 'tool_trajectory', ...fields }, trajectories(names))
  })

  it.each([['a, b'], ['a match'], ['a do not match expected values'], ['a', 'b']])(
    'field_accuracy: %j',
    async (...paths) => {
      const expected = JSON.stringify({ a: 1, b: 2, 'a, b': 3, 'a match': 4, 'a do not match expected values': 5 })
      const answers = [expected, '{"a": 1, "b": 2}', '{"a, b": 3}', '{"a match": 4}', '{"a": 9}', 'none'].map(text => ({
        text,
      }))
      const fields = { type: 'field_accuracy', fields: paths.map(path => ({ path })) }
      await expectSameGrades(fields, answers, expected)
      await expectSameGrades({ ...fields, negate: true }, answers, expected)
    },
  )

  it.each([
    {},
    { allow_fenced: true },
    { schema: { type: 'object', required: ['x'] } },
    { schema: { const: ', matching the schema {}' } },
  ])('is_json: %j', async fields => {
    const answers = ['{}', '{"x":1}', '```\n{"x": 1}\n```', 'no', '", matching the schema {}"'].map(text => ({ text }))
    await expectSameGrades({ type: 'is_json', ...fields }, answers)
    await expectSameGrades({ type: 'is_json', ...fields, negate: true }, answers)
  })
})

describe('a sentence that no check could have produced is a rubric', () => {
  // Loading rejects checks with such sentences.
  it.each([
    'Output matches regex: (?i)hello',
    'Output matches regex: (?P<year>\\d+)',
    'Output matches regex: foo(',
    'Output matches regex with flags ii: foo',
    'Output is valid JSON: matching the schema {"type":5}',
    'Output is valid JSON: matching the schema of the API',
    'Output exactly equals: \u00a0',
    'Cost under $Infinity',
    'Response time under -5ms',
    'Fields constructor match expected values',
    'Agent called at least: a -1',
    "Agent called, at least 1 time, 'a' with input matching '('",
    "Agent called, at least 0 times, 'a'",
    "Agent called, 3 to 2 times, 'a'",
    "Agent called, at least 1 times, 'a'",
    "Agent called, at least 1 time, ''",
    "Agent called, at least 1 time, 'a', with the arguments {not json}",
    "Agent called 'a' before 'b' with input matching '['",
    "Agent called 'a' before 'b' before 'c'",
  ])('%s', sentence => {
    expect(sentenceToCheck(sentence, { expected_output: '{"a": 1}' }, evaluators)).toEqual({
      type: 'rubrics',
      criteria: sentence,
    })
  })
})

describe('a sentence claims what its check requires', () => {
  it('does not describe a relative tolerance as a distance', () => {
    const fields = {
      type: 'field_accuracy',
      fields: [{ path: 'total', match: 'numeric_tolerance', tolerance: 0.5, relative: true }],
    }
    // 150 is within the tolerance if 100 is expected.
    expect(sentenceOf(fields)).toMatch(/50 ?%|0\.5 times|share/)
  })

  it('does not claim that tools were called if no call is required', async () => {
    const fields = { type: 'tool_trajectory', expected: [] }
    expect(await gradeOf(fields, { calls: [] })).toBe(1)
    expect(sentenceOf(fields)).not.toBe('Agent called any tools')
  })

  it('says that JSON that does not match a schema is still JSON', async () => {
    const fields = { type: 'is_json', schema: { type: 'object' }, negate: true }
    expect(await gradeOf(fields, { text: '[]' })).toBe(1)
    expect(sentenceOf(fields)).not.toMatch(/^Output is not valid JSON/)
  })

  it.each([
    ['contains', 'x', "Output does not contain 'x'"],
    ['icontains', 'x', "Output does not contain, ignoring case, 'x'"],
    ['starts_with', 'x', "Output does not start with 'x'"],
    ['ends_with', 'x', "Output does not end with 'x'"],
    ['equals', 'x', 'Output does not exactly equal: x'],
    ['regex', 'x', 'Output does not match regex: x'],
  ])('negated: %s', (type, value, sentence) => {
    expect(sentenceOf({ type, value, negate: true })).toBe(sentence)
  })
})
