import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import type { Answer } from '../../src/model/answer.ts'
import { gradeTest, loadTest, loadTestWithDiagnostics } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'
import { ANSWER, grade, scores } from './subjects.ts'

describe('the text of a subject', () => {
  it.each<[check: string, score: 0 | 1]>([
    ['equals, value: Done, subject: answer', 1],
    ['contains, value: Looking, subject: transcript', 1],
    ['contains, value: Looking, subject: answer', 0],
    ['contains, value: \'"tool": "Bash"\', subject: transcript', 1],
    [`equals, subject: tool_calls, value: '{"tool":"Bash","input":{"command":"ls"},"output":"a\\nb"}'`, 1],
    [
      `starts_with, subject: mock_calls, value: '{"server":"orders","tool":"cancel","input":{"id":"A1"},"output":{"ok":true}}'`,
      1,
    ],
    [`ends_with, subject: mock_calls, value: '{"server":"orders","tool":"refund","error":"off"}'`, 1],
    ['regex, subject: mock_calls, value: ^., flags: m, count: 2', 1],
    [
      'starts_with, subject: changes, value: "deleted gone.txt\\ncreated img.png\\ncreated src/a.ts\\nmodified src/b.ts\\n"',
      1,
    ],
    ['contains, subject: changes, value: "+const b = 2"', 1],
    ['contains, subject: changes, value: "diff of src/b.ts\\n@@ -1 +1 @@"', 1],
    ['icontains_any, subject: changes, value: [CREATED IMG.PNG, nothing]', 1],
    ['contains_all, subject: changes, value: [created img.png, nothing]', 0],
    ['contains, subject: changes, value: created gone.txt', 0],
    [`contains, subject: {mock: orders}, value: '"status":"cancelled"'`, 1],
    ['is_json, subject: {mock: orders}', 1],
    ['is_json, subject: tool_calls', 1],
    ['is_json, subject: changes', 0],
    ['equals, subject: files, value: "img.png\\nsrc/a.ts"', 1],
  ])('%s: %d', async (check, score) => {
    expect(await scores(check)).toEqual([score, 1 - score])
  })

  it('is empty without calls and changes', async () => {
    const answer = { text: 'x', output_messages: [], changes: [], mock_calls: [] }
    for (const subject of ['changes', 'files', 'tool_calls', 'mock_calls'])
      expect(await scores(`regex, subject: ${subject}, value: ^$`, answer)).toEqual([1, 0])
  })

  it.each([
    ['transcript', 'no-transcript'],
    ['tool_calls', 'no-transcript'],
    ['changes', 'no-workspace'],
    ['files', 'no-workspace'],
    ['mock_calls', 'no-mocks'],
    ['{mock: orders}', 'no-mocks'],
    ['{file: a.txt}', 'no-workspace'],
  ])('is an error if %s is unknown, also negated', async (subject, code) => {
    for (const check of ['contains, value: x', 'regex, value: x', 'equals, value: x', 'is_json'])
      expect(await scores(`${check}, subject: ${subject}`, { text: 'x' })).toEqual([code, code])
  })

  it('is an error for a mocked server without a state', async () => {
    expect(await scores('equals, value: x, subject: {mock: toString}')).toEqual(['no-mocks', 'no-mocks'])
  })
})

describe('a diff that is cut', () => {
  const [, , created] = ANSWER.changes ?? []
  const answer: Answer = { text: '', changes: created ? [{ ...created, diff_cut: 'file' }] : [] }

  it.each<[check: string, outcome: unknown[]]>([
    ['contains, value: const a', [1, 0]],
    ['contains, value: nothing', ['diff-cut', 'diff-cut']],
    ['regex, value: const a', [1, 0]],
    ['regex, value: "^(?![\\\\s\\\\S]*secret)"', ['diff-cut', 'diff-cut']],
    ['regex, value: const, count: {min: 1}', [1, 0]],
    ['regex, value: const, count: 2', ['diff-cut', 'diff-cut']],
    ['equals, value: x', ['diff-cut', 'diff-cut']],
  ])('decides only what was found: %s', async (check, outcome) => {
    expect(await scores(`${check}, subject: changes`, answer)).toEqual(outcome)
  })
})

describe('the state of a mocked server', () => {
  it.each<[value: string, score: 0 | 1]>([
    ['{A1: {status: cancelled, items: [1, 2]}}', 1],
    ['{A1: {items: [1, 2], status: cancelled}}', 1],
    [`'{"A1": {"status": "cancelled", "items": [1, 2]}}'`, 1],
    ['{A1: {status: cancelled, items: ["1", "2"]}}', 0],
    ['{A1: {status: cancelled}}', 0],
    ['{A1: {status: cancelled, items: [1, 2]}, B: {}}', 0],
    ['[1]', 0],
    ['text', 0],
  ])('equals %s: %d', async (value, score) => {
    expect(await scores(`equals, subject: {mock: orders}, value: ${value}`)).toEqual([score, 1 - score])
  })

  it.each<[state: unknown, value: string, score: 0 | 1]>([
    [5, '5', 1],
    [5, '"5"', 1],
    ['5', '5', 0],
    ['x', 'x', 1],
    [1.5, '1.50', 1],
    [[1, 2], '[1, 2]', 1],
    [true, 'true', 1],
  ])('compares data: %j with %s', async (state, value, score) => {
    expect(await scores(`equals, subject: {mock: s}, value: ${value}`, { text: '', state: { s: state } })).toEqual([
      score,
      1 - score,
    ])
  })

  it('names the differences', async () => {
    const [result] = await grade(['equals, subject: {mock: orders}, value: {A1: {status: open, items: [1, 2]}}'])
    expect(result?.misses).toEqual(['the state of orders differs: A1.status is "cancelled", expected "open"'])
  })

  it('has fields for field_accuracy', async () => {
    const check = 'field_accuracy, subject: {mock: orders}, fields: [{path: A1.status}, {path: "A1.items[1]"}]'
    const fields = 'expected_output: {A1: {status: cancelled, items: [1, 3]}}'
    const [result] = await grade([check], ANSWER, undefined, fields)
    expect(result).toMatchObject({ score: 0.5, misses: ['A1.items[1] is 2, expected 3'] })
  })
})

describe('before the run', () => {
  it.each<[subject: string, code: string, message: string, hint: string | undefined]>([
    [
      'chnges',
      'bad-choice',
      '`subject` must be one of answer, transcript, changes, files, tool_calls, mock_calls or a mapping, found the string `chnges`',
      'did you mean `changes`?',
    ],
    [
      'src/a.ts',
      'bad-choice',
      '`subject` must be one of answer, transcript, changes, files, tool_calls, mock_calls or a mapping, found the string `src/a.ts`',
      'write a file as `subject: {file: src/a.ts}`',
    ],
    [
      'last_message',
      'bad-choice',
      '`subject` must be one of answer, transcript, changes, files, tool_calls, mock_calls or a mapping, found the string `last_message`',
      'write `subject: answer`',
    ],
    ['{fil: a}', 'unknown-key', 'unknown key `fil`', 'did you mean `file`?'],
    [
      '{file: /etc/passwd}',
      'bad-format',
      '`/etc/passwd` is not inside the workspace: write a relative path without `..`',
      undefined,
    ],
    [
      '{file: a/../../b}',
      'bad-format',
      '`a/../../b` is not inside the workspace: write a relative path without `..`',
      undefined,
    ],
    ['{file: "src/*.ts"}', 'bad-format', '`src/*.ts` is not the path of one file: `*` is not allowed here', undefined],
    ['{file: a, mock: b}', 'two-spellings', '`file` and `mock` cannot be used together', undefined],
  ])('reports %s', async (subject, code, message, hint) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: contains, value: x, subject: ${subject}}`])
    expect(diagnostics.map(each => [each.code, each.message, each.hint])).toEqual([[code, message, hint]])
  })

  it('reports a mapping as the value of a text', async () => {
    const { diagnostics } = await loadTestWithDiagnostics([
      '{type: equals, value: {a: 1}}',
      '{type: equals, value: [a]}',
    ])
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['wrong-type', '`value` must be a string or a number or true or false, found a mapping'],
      ['wrong-type', '`value` must be a string or a number or true or false, found a list'],
    ])
  })

  it.each([
    ['answer', {}],
    ['transcript', {}],
    ['tool_calls', {}],
    ['changes', { workspace: true }],
    ['files', { workspace: true }],
    ['{file: a}', { workspace: true }],
    ['mock_calls', { mocks: true }],
    ['{mock: orders}', { mocks: 'orders' }],
  ])('%s needs %j', async (subject, needs) => {
    const checks = [
      'contains, value: x',
      'starts_with, value: x',
      'contains_any, value: [x]',
      'equals, value: x',
      'regex, value: x',
      'is_json',
      'is_xml',
      'is_yaml',
      'llm_judge',
      'rubrics, criteria: x',
    ]
    const { checks: loaded } = await loadTest(checks.map(check => `{type: ${check}, subject: ${subject}}`))
    for (const { evaluator, config } of loaded) expect(evaluator.needs?.(config)).toEqual(needs)
  })
})

describe('without a subject', () => {
  it('grades the answer, whatever else is known', async () => {
    const checks = [
      'contains, value: a',
      'icontains, value: A',
      'starts_with, value: a',
      'ends_with, value: a',
      'equals, value: a',
      'regex, value: a',
      'is_json',
      'contains_any, value: [a, b]',
      'contains_all, value: [a, b]',
    ]
    const plain = await loadTest(checks.map(check => `{type: ${check}}`))
    const named = await loadTest(checks.map(check => `{type: ${check}, subject: answer}`))
    expect(plain.checks.every(({ config }) => !Object.hasOwn(config as object, 'subject'))).toBe(true)
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"'), maxLength: 5 }), async text => {
        const strip = (results: Awaited<ReturnType<typeof gradeTest>>) =>
          results.map(({ score, hits, misses }) => ({ score, hits, misses }))
        const [one, two] = [await gradeTest(plain, { text }), await gradeTest(named, { ...ANSWER, text })]
        expect(strip(one)).toEqual(strip(two))
      }),
      { numRuns: examples(40) },
    )
  })

  it('is offered by exactly these checks', () => {
    const types = evaluators.filter(({ config }) => 'subject' in config().shape).map(({ type }) => type)
    expect(types.sort()).toEqual([
      'contains',
      'contains_all',
      'contains_any',
      'ends_with',
      'equals',
      'field_accuracy',
      'icontains',
      'icontains_all',
      'icontains_any',
      'is_json',
      'is_xml',
      'is_yaml',
      'llm_judge',
      'regex',
      'rubrics',
      'similar',
      'starts_with',
    ])
  })
})
