import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/model/result.ts'
import { github } from '../../src/report/github.ts'
import { markdown } from '../../src/report/markdown.ts'
import { renderReport, runOf, trialsOf } from '../support/recorded-run.ts'

const linesOf = (results: readonly Partial<Result>[]) => renderReport(github, runOf(results)).split('\n').slice(0, -1)
const many = (count: number, name: string, result: Partial<Result>) =>
  Array.from({ length: count }, (_, index) => ({ ...result, test_id: `${name}${index}` }))

const FAILED: Partial<Result> = { score: 0, verdict: 'fail', misses: ['not brief'] }
const BORDERLINE: Partial<Result> = { score: 0.7, verdict: 'borderline', misses: ['not quite'] }
const BROKEN = trialsOf('x', [null])[0] ?? {}

describe('annotations', () => {
  it('point to the lines of the tests: errors for failures, warnings for borderline tests', () => {
    expect(
      linesOf([
        { test_id: 'good' },
        { test_id: 'middling', line: 5, ...BORDERLINE },
        { test_id: 'bad', line: 9, file: 'evals/EVAL.yaml', ...FAILED },
        ...trialsOf('broken', [null], { line: 20 }),
      ]),
    ).toEqual([
      '::error file=evals/EVAL.yaml,line=9,title=fail%3A bad on default::not brief',
      '::error file=EVAL.yaml,line=20,title=error%3A broken on default::timeout: took too long',
      '::warning file=EVAL.yaml,line=5,title=borderline%3A middling on default::not quite',
    ])
  })

  it('give each reason once over all trials', () => {
    const trials = [
      ...trialsOf('a', [0, 0], { misses: ['one', 'two'] }),
      ...trialsOf('a', [0], { misses: ['two', 'three'] }),
    ]
    expect(linesOf(trials)).toEqual(['::error file=EVAL.yaml,line=1,title=fail%3A a on default::one%0Atwo%0Athree'])
  })

  it('fit on one line each, and never contain a workflow command', () => {
    const hostile = '100%, a:b\r\n::error::x\n\x1b[31m'
    const written = (end: string, between = '') => `100%25%2C a%3Ab␍${end}%3A${between}%3Aerror%3A%3Ax${end}␛[31m`
    const title = `fail%3A ${written('↵')} on ${written('↵')}`
    expect(linesOf([{ ...FAILED, test_id: hostile, target: hostile, file: hostile, misses: [hostile] }])).toEqual([
      `::error file=${written('%0A', '\u200b')},line=1,title=${title}::100%25, a:b␍%0A:\u200b:error::x%0A␛[31m`,
    ])
  })

  it('are truncated', () => {
    const [line = ''] = linesOf([{ ...FAILED, test_id: 'a', misses: ['x'.repeat(5000)] }])
    expect(line.endsWith(`::${'x'.repeat(1000)}…`)).toBe(true)
  })

  it('contain the verdict if there is no reason', () => {
    expect(linesOf([{ ...FAILED, test_id: 'a', misses: [] }])).toEqual([
      '::error file=EVAL.yaml,line=1,title=fail%3A a on default::fail',
    ])
  })
})

describe('the limit of ten annotations of a kind', () => {
  const count = (lines: readonly string[], kind: string) => lines.filter(line => line.startsWith(`::${kind} `)).length

  it('uses all ten if there are no more', () => {
    const lines = linesOf([...many(4, 'f', FAILED), ...many(6, 'e', BROKEN), ...many(10, 'b', BORDERLINE)])
    expect([count(lines, 'error'), count(lines, 'warning'), lines.length]).toEqual([10, 10, 20])
  })

  it('counts the rest in the last one', () => {
    const lines = linesOf([...many(8, 'f', FAILED), ...many(5, 'e', BROKEN), ...many(11, 'b', BORDERLINE)])
    expect([count(lines, 'error'), count(lines, 'warning')]).toEqual([9, 9])
    expect(lines).toHaveLength(20)
    expect(lines[9]).toBe('::error::and 4 more tests: 4 error')
    expect(lines[19]).toBe('::warning::and 2 more tests: 2 borderline')
  })

  it('counts failures and errors in the rest', () => {
    const lines = linesOf([...many(20, 'f', FAILED), ...many(1, 'e', BROKEN)])
    expect(lines[9]).toBe('::error::and 12 more tests: 11 fail, 1 error')
  })
})

it('writes the Markdown report as the step summary', () => {
  expect(github.companion).toEqual({ variable: 'GITHUB_STEP_SUMMARY', reporter: markdown })
})
