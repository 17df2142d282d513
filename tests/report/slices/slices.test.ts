import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { compareRuns } from '../../../src/report/compare/compare-runs.ts'
import { comparedRunOf } from '../../../src/report/compare/compared-run.ts'
import { json } from '../../../src/report/json.ts'
import { markdown } from '../../../src/report/markdown.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runSlices } from '../../../src/report/slices/run-slices.ts'
import { sliceKey } from '../../../src/report/slices/slice-key.ts'
import { text } from '../../../src/report/text.ts'
import { runOf } from '../../support/recorded-run.ts'

const slicesBy = (by: string, results: readonly Partial<Result>[]) => {
  const run = runOf(results)
  const slices = runSlices(run, outcomeOf(run), by)?.slices ?? []
  return slices.map(({ name, target, tests, pass_rate }) => [name, target, tests, pass_rate?.rate])
}

const fails = { score: 0, verdict: 'fail' as const }

describe('slices of a run', () => {
  it('count a test in each of its tags, and tests without a tag in the unnamed slice, which comes last', () => {
    expect(
      slicesBy('tag', [
        { tags: ['slow', 'billing'], ...fails },
        { tags: ['billing'] },
        { tags: [] },
        { tags: ['Zebra'] },
      ]),
    ).toEqual([
      ['Zebra', 'default', 1, 1],
      ['billing', 'default', 2, 0.5],
      ['slow', 'default', 1, 0],
      [null, 'default', 1, 1],
    ])
  })

  it('are per target, because several targets have no common rate', () => {
    const tags = ['a']
    expect(
      slicesBy('tag', [
        { test_id: 't', tags, target: 'x' },
        { test_id: 't', tags, target: 'y', ...fails },
      ]),
    ).toEqual([
      ['a', 'x', 1, 1],
      ['a', 'y', 1, 0],
    ])
  })

  it('are by suite, or by target', () => {
    const results = [{ suite: 'b' }, { suite: 'a' }, { suite: 'a', target: 'other' }]
    expect(slicesBy('suite', results).map(([name]) => name)).toEqual(['a', 'a', 'b'])
    expect(slicesBy('target', results).map(([name]) => name)).toEqual(['default', 'other'])
  })

  it('are by a key of the metadata, whatever its value is', () => {
    const values = ['en', 3, true, ['en', 'de'], { deep: 1 }, null, undefined]
    const results = values.map(lang => ({ metadata: lang === undefined ? {} : { lang } }))
    expect(slicesBy('metadata.lang', results)).toEqual([
      ['3', 'default', 1, 1],
      ['de', 'default', 1, 1],
      ['en', 'default', 2, 1],
      ['true', 'default', 1, 1],
      ['{"deep":1}', 'default', 1, 1],
      [null, 'default', 2, 1],
    ])
  })

  it('do not find inherited properties', () => {
    expect(slicesBy('metadata.constructor', [{ metadata: {} }])).toEqual([[null, 'default', 1, 1]])
    expect(slicesBy('metadata.__proto__', [{ metadata: {} }])).toEqual([[null, 'default', 1, 1]])
  })

  it('keep suites of one name apart by their files', () => {
    const results = [
      { test_id: 't', file: 'a.yaml', tags: ['x'] },
      { test_id: 't', file: 'b.yaml', tags: ['y'], ...fails },
    ]
    expect(slicesBy('tag', results)).toEqual([
      ['x', 'default', 1, 1],
      ['y', 'default', 1, 0],
    ])
  })

  it('reject other keys', () => {
    for (const by of ['tags', 'metadata.', 'metadata', '', 'verdict'])
      expect(() => sliceKey(by)).toThrow('use tag, suite, target, or metadata.KEY')
  })
})

describe('reports with slices', () => {
  const rendered = (reporter: typeof text, results: readonly Partial<Result>[], by: string) =>
    [...reporter.render(runOf(results), { by })].flatMap(file => [...file.text]).join('')

  it('have a table in text and markdown', () => {
    const results = [{ tags: ['a|b\n'] }, { tags: [], ...fails }]
    expect(rendered(text, results, 'tag')).toContain(
      'tag     target   tests  pass  borderline  fail  error  pass rate  score\na|b↵    default      1     1           0     0      0      100 %   1.00\n(none)  default      1     0           0     1      0        0 %   0.00\n',
    )
    expect(rendered(markdown, results, 'tag')).toContain('| tag | target | tests |')
    expect(rendered(markdown, results, 'tag')).toContain('\n| a&#124;b↵ | default | 1 |')
  })

  it('show fifty slices in text, and all of them in JSON', () => {
    const results = Array.from({ length: 60 }, (_, index) => ({ tags: [`tag${index}`] }))
    const printed = rendered(text, results, 'tag')
    expect(printed.match(/^tag\d+ /gm)).toHaveLength(50)
    expect(printed).toContain('and 10 more: JSON has all of them\n')
    expect(JSON.parse(rendered(json, results, 'tag')).summary.slices).toMatchObject({ by: 'tag' })
    expect(JSON.parse(rendered(json, results, 'tag')).summary.slices.slices).toHaveLength(60)
  })
})

describe('slices of a comparison', () => {
  const GATES = { fail_on_regression: true, fail_on_new_failures: false, require_conclusive: false }
  const runWith = (name: string, scores: readonly number[], tagOf: (index: number) => string[]) =>
    comparedRunOf(
      name,
      runOf(
        scores.map((score, index) => ({
          run_id: name,
          test_hash: `h${index}`,
          score,
          verdict: score === 1 ? ('pass' as const) : ('fail' as const),
          tags: tagOf(index),
        })),
      ),
      { by: 'tag' },
    )
  const OPTIONS = { targets: [], margin: 0, gates: GATES }
  const half = (index: number) => [index < 20 ? 'billing' : 'other']
  const good = Array<number>(40).fill(1)

  it('have their own verdicts, adjusted for the number of slices', () => {
    const bad = good.map((score, index) => (index < 6 ? 0 : score))
    const { slices, comparisons } = compareRuns([runWith('a', good, half), runWith('b', bad, half)], OPTIONS)
    expect(slices[0]?.map(({ name, comparison: { pairs, verdict } }) => [name, pairs.length, verdict])).toEqual([
      ['billing', 20, 'worse'],
      ['other', 20, 'inconclusive'],
    ])
    const many = (index: number) => [`t${index % 20}`, ...half(index)]
    const more = compareRuns([runWith('a', good, many), runWith('b', bad, many)], OPTIONS)
    expect(more.slices[0]?.find(({ name }) => name === 'billing')?.comparison.verdict).toBe('inconclusive')
    expect(comparisons[0]?.verdict).toBe('worse')
  })

  it('follow the tags of the later run', () => {
    const { slices } = compareRuns([runWith('a', good, () => ['old']), runWith('b', good, () => ['new'])], OPTIONS)
    expect(slices[0]?.map(({ name }) => name)).toEqual(['new'])
  })

  it('are absent if none are asked for', () => {
    const plain = (name: string) => comparedRunOf(name, runOf([{ test_hash: 'h' }]))
    expect(compareRuns([plain('a'), plain('b')], OPTIONS).slices).toEqual([[]])
  })
})
