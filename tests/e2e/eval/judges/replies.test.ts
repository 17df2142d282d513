import { beforeAll, describe, expect, it } from 'vitest'
import { type JudgeRun, judgeFolder, runChecks, runJudges } from '../../../support/judges/judge-suite.ts'

type Reply = readonly [name: string, text: string | Uint8Array, ...more: unknown[]]

/** A judge for each reply that prints only this reply. */
function printing(replies: readonly Reply[]) {
  const checks = replies.map(([name], index) => ({ name, type: 'code_judge', script: ['cat', `./replies/${index}`] }))
  return { checks, files: Object.fromEntries(replies.map(([, text], index) => [`replies/${index}`, text])) }
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('judge output that is accepted', () => {
  const REPLIES: readonly (readonly [name: string, text: string | Uint8Array, grade: object])[] = [
    ['one object', '{"score": 0.25}', { score: 0.25, hits: [], misses: [] }],
    ['noise before', 'Loading {model}…\n[1, 2] {"level": "info"}\n{"score": 0.5}\n', { score: 0.5 }],
    ['noise after', '{"score": 0.5}\n{"elapsed": 3}\n} done {\n', { score: 0.5 }],
    ['pretty-printed', '{\n  "score": 0.5,\n  "hits": [\n    "a {brace"\n  ]\n}\n', { score: 0.5, hits: ['a {brace'] }],
    ['several objects', '{"score": 0.1}\n{"score": 0.9}{"score": 0.3} {"level": 1}', { score: 0.3 }],
    ['a byte order mark', '\ufeff{"score": 1}\r\n', { score: 1 }],
    [
      'an inner object with a score',
      '{"score": 0.5, "details": {"score": 0.9, "parts": [{"score": 1}]}}',
      { score: 0.5, details: { score: 0.9, parts: [{ score: 1 }] } },
    ],
    [
      'everything',
      '{"score": 0.75, "hits": ["a", "b"], "misses": ["c"], "reasoning": "Mostly", "details": [1, null], "model": "x"}',
      { score: 0.75, hits: ['a', 'b'], misses: ['c'], reasoning: 'Mostly', details: [1, null] },
    ],
    ['null for optional keys', '{"score": 0, "hits": null, "misses": null, "reasoning": null}', { score: 0 }],
    [
      'claims',
      '{"assertions": [{"text": "a", "passed": true, "evidence": "line 1"}, {"text": "b", "passed": false}]}',
      { score: 0.5, hits: ['a: line 1'], misses: ['b'] },
    ],
    [
      'claims with a score',
      '{"score": 0.9, "hits": ["h"], "assertions": [{"text": "b", "passed": false, "evidence": null}]}',
      { score: 0.9, hits: ['h'], misses: ['b'] },
    ],
    ['a score with an empty list of claims', '{"score": 0.5, "assertions": []}', { score: 0.5, hits: [], misses: [] }],
    ['details of two hundred levels', `{"score": 1, "details": ${nested(200)}}`, { score: 1 }],
    [
      'bytes that are not UTF-8 before it',
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from('{"score": 1}')]),
      { score: 1 },
    ],
    [
      'text of other scripts',
      '{"score": 1, "hits": ["Größe ✓", "\\u65e5本 🎉"]}',
      { score: 1, hits: ['Größe ✓', '日本 🎉'] },
    ],
    ['nine megabytes of noise', `${'{"level": "info", "n": 1}\n'.repeat(360_000)}{"score": 0.5}\n`, { score: 0.5 }],
  ]
  let run: JudgeRun

  beforeAll(async () => {
    const { checks, files } = printing(REPLIES)
    run = await runChecks(checks, { files })
  })

  it.each(REPLIES)('%s', (name, _, grade) => {
    expect(run.check(name).error).toBeUndefined()
    expect(run.check(name)).toMatchObject(grade)
  })
})

const OUTSIDE = [
  ['a score of 7', '{"score": 7}', 'score'],
  ['a score below 0', '{"score": -0.1}', 'score'],
  ['a score just above 1', '{"score": 1.0000001}', 'score'],
  ['a string as score', '{"score": "0.8"}', 'score'],
  ['null as score', '{"score": null}', 'score'],
  ['true as score', '{"score": true}', 'score'],
  ['a list as score', '{"score": [1]}', 'score'],
  ['NaN as score', '{"score": NaN}', 'NaN'],
  ['an infinite score', '{"score": 1e999}', 'score'],
  ['an invalid score after a valid one', '{"score": 1}\n{"score": 7}', 'score'],
  ['nothing', '', 'nothing'],
  ['whitespace', ' \n\t\n', 'nothing'],
  ['a number', '1\n', '1'],
  ['a list', '[1]\n', '[1]'],
  ['an object without a score', '{"result": "pass"}', 'pass'],
  ['a score only in a nested object', '{"result": {"score": 1}}', 'result'],
  ['single quotes', "{'score': 1}", "'score'"],
  ['half an object', '{"score": 1, "hits": ["a"', 'score'],
  ['hits that are not strings', '{"score": 1, "hits": [1]}', 'hits'],
  ['no claims and no score', '{"assertions": []}', 'assertions'],
  ['a claim without `passed`', '{"assertions": [{"text": "a"}]}', 'assertions'],
  ['invalid UTF-8', new Uint8Array([0xff, 0xfe, 0xc3, 0x28]), 'JSON'],
  ['details of two hundred and one levels', `{"score": 1, "details": ${nested(201)}}`, 'details'],
] as const

describe('judge output that is rejected', () => {
  let run: JudgeRun

  beforeAll(async () => {
    const { checks, files } = printing(OUTSIDE)
    const well = { type: 'contains', value: 'ok' }
    run = await runJudges(
      judgeFolder({
        tests: [
          { id: 'case', assert: [...checks, well] },
          { id: 'after', assert: [well] },
        ],
        files,
      }),
    )
  })

  it.each(OUTSIDE)('%s', (name, _, words) => {
    const { score, passed, hits, error } = run.check(name)
    expect({ score, passed, hits }).toEqual({ score: null, passed: false, hits: [] })
    expect(error?.code).toBe('judge-output')
    expect(error?.message).toContain(words)
    expect(error?.message.length).toBeLessThan(1000)
  })

  it('does not affect other checks and tests', () => {
    expect(run.code).toBe(3)
    expect(run.result('case')).toMatchObject({ verdict: 'error', score: null, answer: 'ok', error: { stage: 'grade' } })
    expect(run.check('contains')).toMatchObject({ score: 1, passed: true })
    expect(run.result('after')).toMatchObject({ verdict: 'pass', score: 1 })
  })
})

describe('an invalid object in judge output', () => {
  it.each([
    ['has no number for a score', '{"score": NaN, "details": {"score": 1.0}}'],
    ['was cut off', '{"score": 0.1, "details": {"parts": [{"score": 1}], "mo'],
    [
      'has no number for a score and claims inside',
      '{"score": NaN, "x": {"assertions": [{"text": "a", "passed": true}]}}',
    ],
  ])('that %s gives no score from a nested object', async (name, text) => {
    const { checks, files } = printing([[name, text]])
    const { check, code } = await runChecks(checks, { files })
    expect(check(name)).toMatchObject({ score: null, error: { code: 'judge-output' } })
    expect(code).toBe(3)
  })
})

describe('a deeply nested reply of a judge', () => {
  it.each([
    ['details', `{"score": 1, "details": ${nested(100_000)}}`],
    ['hits', `{"score": 1, "hits": ${nested(100_000)}}`],
  ])('is an error of the judge in %s, not a bug', async (name, text) => {
    const { checks, files } = printing([[name, text]])
    const { check, code } = await runChecks(checks, { files })
    expect(check(name).error).toMatchObject({ code: 'judge-output', message: expect.stringContaining(name) })
    expect(code).toBe(3)
  })

  it('is accepted in unused keys', async () => {
    const { checks, files } = printing([['more', `{"score": 1, "more": ${nested(100_000)}}`]])
    const { check, code } = await runChecks(checks, { files })
    expect(check('more')).toMatchObject({ score: 1 })
    expect(code).toBe(0)
  })
})
