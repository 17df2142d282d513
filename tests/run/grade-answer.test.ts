import { dirname } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluators } from '../../src/evaluators/index.ts'
import { nodeHost } from '../../src/host/node.ts'
import type { Check } from '../../src/model/check.ts'
import { Unjudged } from '../../src/model/grade.ts'
import { loadFiles } from '../../src/parse/load-files.ts'
import { gradeTest, loadTest } from '../support/checks.ts'
import { folderWith } from '../support/program.ts'

async function gradeChecks(checks: readonly string[], text: string) {
  return gradeTest(await loadTest(checks), { text })
}

/** Loaded checks with another `grade` function. */
async function gradedBy(grade: NonNullable<Check['evaluator']['grade']>, ...checks: string[]) {
  const test = await loadTest(checks)
  const replaced = test.checks.map(check => check.with({ evaluator: { ...check.evaluator, grade } }))
  return gradeTest({ ...test, checks: replaced }, { text: 'yes' })
}

describe('negate', () => {
  it.each<[check: string, score: number, hits: string[], misses: string[]]>([
    ['{type: contains, value: "yes", negate: true}', 0, [], ['must not contain "yes", but does']],
    ['{type: contains, value: "no", negate: true}', 1, ['does not contain "no"'], []],
    [
      '{type: contains_any, value: ["yes", "no"], negate: true}',
      0,
      ['does not contain "no"'],
      ['must not contain "yes", but does'],
    ],
    ['{type: contains_all, value: ["yes", "no"], negate: true}', 1, ['does not contain "no"'], ['contains "yes"']],
    ['{type: contains_all, value: ["y", "s"], negate: true}', 0, [], ['must not contain all of "y", "s", but does']],
    ['{type: starts_with, value: "y", negate: true}', 0, [], ['must not start with "y", but does']],
    ['{type: equals, value: "yes", negate: true}', 0, [], ['must not equal "yes", but does']],
    ['{type: regex, value: ^n, negate: true}', 1, ['does not match /^n/'], []],
    ['{type: regex, value: ^Y, flags: i, negate: true}', 0, [], ['must not match /^Y/i, but does']],
    ['{type: is_json, negate: true}', 1, [expect.stringContaining('is not valid JSON')] as string[], []],
  ])('%s', async (check, score, hits, misses) => {
    expect(await gradeChecks([check], 'yes')).toMatchObject([{ score, passed: score === 1, hits, misses }])
  })

  it('leaves an error an error', async () => {
    const slow = '{type: regex, value: (a+)+$, flags: i, negate: true, required: true}'
    const [result] = await gradeChecks([slow], `${'a'.repeat(40)}b`)
    expect(result).toMatchObject({
      score: null,
      passed: false,
      hits: [],
      misses: [],
      error: { code: 'regex-too-slow' },
    })
  })

  it('is recorded only if it is set', async () => {
    const checks = ['', ', negate: false', ', negate: true'].map(more => `{type: contains, value: "yes"${more}}`)
    const results = await gradeChecks(checks, 'yes')
    expect(results.map(({ negate }) => negate)).toEqual([undefined, undefined, true])
  })

  it('inverts any score, and two negations cancel out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async score => {
        const [plain, negated] = await gradedBy(
          () => ({ score, hits: ['h'], misses: ['m'] }),
          '{type: contains, value: a}',
          '{type: contains, value: a, negate: true}',
        )
        expect(plain?.score).toBe(score)
        expect(negated?.score).toBeCloseTo(1 - score, 12)
        expect(negated).toMatchObject({ hits: ['m'], misses: ['h'] })
      }),
      { numRuns: 20 },
    )
  })
})

describe('passed', () => {
  it.each<[required: string, score: number, passed: boolean]>([
    ['', 0.8, true],
    ['', 0.79, false],
    ['required: false, ', 0.8, true],
    ['required: true, ', 0.8, true],
    ['required: true, ', 0.7999, false],
    ['required: 0.5, ', 0.5, true],
    ['required: 0.5, ', 0.49, false],
    ['required: 1, ', 0.99, false],
    ['required: 1, ', 1, true],
    ['required: 0.3, ', 0.1 + 0.2, true],
    ['required: 0.7, ', 0.1 * 7, true],
    ['', 1 - 0.2, true],
  ])('{%s} at %d: %s', async (required, score, passed) => {
    const [result] = await gradedBy(() => ({ score, hits: [], misses: [] }), `{type: contains, ${required}value: a}`)
    expect(result).toMatchObject({ score, passed })
  })
})

describe('a check that cannot be judged', () => {
  const grade = () => {
    throw new Unjudged('regex-too-slow', 'no time')
  }

  it('has an error and no score', async () => {
    const [result] = await gradedBy(grade, '{type: contains, value: a}')
    expect(result).toMatchObject({ score: null, passed: false, hits: [], misses: [] })
    expect(result?.error).toEqual({ code: 'regex-too-slow', message: 'no time' })
  })

  it('does not affect the other checks', async () => {
    const slow = '{type: regex, value: (a+)+$, flags: i}'
    const results = await gradeChecks(
      ['{type: contains, value: a}', slow, '{type: contains, value: x}'],
      `${'a'.repeat(40)}b`,
    )
    expect(results.map(({ score }) => score)).toEqual([1, null, 0])
    expect(results.map(({ error }) => error?.code)).toEqual([undefined, 'regex-too-slow', undefined])
  })

  it.each<[what: string, thrown: unknown]>([
    ['an error', new TypeError('oh no')],
    ['a text', 'oh no'],
    ['nothing', undefined],
  ])('is a bug if %s is thrown', async (_, thrown) => {
    const failing = () => {
      throw thrown
    }
    const [result] = await gradedBy(failing, '{type: contains, value: a, negate: true}')
    expect(result).toMatchObject({ score: null, passed: false, error: { code: 'bug' } })
    if (thrown) expect(result?.error?.message).toContain('oh no')
  })
})

describe('the record of a check', () => {
  it('has its type, text and location', async () => {
    const results = await gradeChecks(
      ['{type: contains, value: "yes", weight: 2, required: 0.5}', '{name: second, type: equals, value: x}'],
      'yes',
    )
    expect(results).toEqual([
      {
        name: 'contains',
        type: 'contains',
        text: "Output contains 'yes'",
        weight: 2,
        required: 0.5,
        score: 1,
        passed: true,
        hits: ['contains "yes"'],
        misses: [],
        line: 7,
        duration_ms: expect.any(Number),
      },
      expect.objectContaining({ name: 'second', type: 'equals', required: null, weight: 1, line: 8 }),
    ])
  })

  it('names its file if it differs from the file of the test', async () => {
    const folder = folderWith({
      'EVAL.yaml': 'name: one\ntests: ./more.yaml\nassert:\n  - {type: contains, value: a}\n',
      'more.yaml': '- id: a\n  criteria: Good\n  input: Hi\n  assert: [{type: contains, value: b}]\n',
    })
    const file = `${folder}/EVAL.yaml`
    const { suites, diagnostics } = await loadFiles([file], { host: nodeHost(dirname(file)), evaluators })
    expect(diagnostics).toEqual([])
    const test = suites[0]?.tests[0]
    const results = await gradeTest(test!, { text: 'a' })
    expect(results.map(({ file, line }) => [file, line])).toEqual([
      [undefined, 4],
      ['<EVAL.yaml>', 4],
    ])
  })
})
